/**
 * How often a silent daemon is asked whether it is there. Twice within
 * `NOTED_MS`, so that one which is only busy has answered before it is named.
 */
const ASK_MS = 2500;

/** Silence after which a person is told: longer than any answer of a healthy daemon to a ping. */
export const NOTED_MS = 5000;

/** Silence after which nobody waits on: a daemon that hangs is ended by its own watchdog before. */
export const GIVEN_UP_MS = 30_000;

export interface SilenceEvents {
  /** Send something that any daemon answers at once. */
  ask(): void;
  /** Nothing came for `NOTED_MS`; once in each silence. */
  onSilent(): void;
  /** Nothing came for `GIVEN_UP_MS`. */
  onGivenUp(): void;
}

/** Watches what comes from a daemon while an answer of it is awaited. */
export interface SilenceWatch {
  /** Anything came: an answer, progress, or what a ping was answered with. */
  hear(): void;
  /** An answer is awaited; the returned function says that it is no more. */
  expect(): () => void;
}

/**
 * Tell a daemon that works on something long, which answers pings meanwhile,
 * from one that says nothing at all. It counts its own beats instead of
 * comparing clocks: a command that was itself stopped has heard nothing either,
 * and must not blame the daemon when it goes on.
 */
export function watchSilence({ ask, onSilent, onGivenUp }: SilenceEvents): SilenceWatch {
  let beats = 0;
  let awaited = 0;
  let timer: NodeJS.Timeout | undefined;

  const beat = (): void => {
    beats += 1;
    if (beats === NOTED_MS / ASK_MS) onSilent();
    if (beats >= GIVEN_UP_MS / ASK_MS) onGivenUp();
    else ask();
  };

  return {
    hear() {
      beats = 0;
      timer?.refresh();
    },
    expect() {
      if (awaited === 0) {
        beats = 0;
        timer = setInterval(beat, ASK_MS);
      }
      awaited += 1;
      return () => {
        awaited -= 1;
        if (awaited > 0) return;
        clearInterval(timer);
        timer = undefined;
      };
    },
  };
}
