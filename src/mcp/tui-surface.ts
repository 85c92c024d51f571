import { classifyLine } from '../protocol/link/classify.ts';
import type { OpenSurface } from './surface.ts';
import { createTuiServer } from './tui.ts';

/**
 * The tui surface of one session. Documents, sheets and data are read through
 * the session's proxy, with the rights and the working directory of the agent
 * host (design 4); the server answers in the order it was asked.
 */
export const openTuiSurface: OpenSurface = (context, send) => {
  const server = createTuiServer({ cwd: context.cwd, readFile: context.readFile });
  let inFlight = 0;
  return {
    receive(message) {
      const { wantsReply, idKey } = classifyLine(message, 'tui');
      inFlight += 1;
      void server
        .handle(message)
        .then((answer) => {
          if (answer === null) return;
          send(answer, wantsReply ? JSON.parse(idKey) : undefined);
        })
        .finally(() => {
          inFlight -= 1;
        });
    },
    get inFlight() {
      return inFlight;
    },
    close: async () => {},
  };
};
