/** How much longer than its timeout an answer to caughtUp is waited for: the thread may be busy. */
const CATCH_UP_SLACK_MS = 5;

/**
 * Share cookies between searches: one that is asked for before the thread was
 * told of the next is served by that next one, so a hundred agents cost two.
 */
export function createCatchUp(
  ask: (timeoutMs: number) => Promise<boolean>,
): (timeoutMs: number) => Promise<boolean> {
  let current: Promise<boolean> | undefined;
  let next: Promise<boolean> | undefined;
  const begin = (timeoutMs: number): Promise<boolean> => {
    const run = ask(timeoutMs).catch(() => false);
    current = run;
    void run.then(() => {
      if (current === run) current = undefined;
    });
    return run;
  };
  return (timeoutMs) => {
    if (current === undefined) return within(begin(timeoutMs), timeoutMs);
    const running = current;
    next ??= running.then(() => {
      next = undefined;
      return begin(timeoutMs);
    });
    return within(next, timeoutMs);
  };
}

/** The answer, or false when the time is over. */
function within(answer: Promise<boolean>, timeoutMs: number): Promise<boolean> {
  return new Promise((resolve) => {
    const timer = setTimeout(() => resolve(false), timeoutMs + CATCH_UP_SLACK_MS);
    void answer.then((isCaughtUp) => {
      clearTimeout(timer);
      resolve(isCaughtUp);
    });
  });
}
