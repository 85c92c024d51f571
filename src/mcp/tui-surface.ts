import { classifyLine } from '../protocol/link/classify.ts';
import type { OpenSurface, SessionContext } from './surface.ts';
import type { TuiServer } from './tui.ts';

/** A server for one session, wherever it runs. */
export interface TuiConnection extends TuiServer {
  readonly close: () => void;
}

/**
 * The tui surface (U-209…U-227). Documents, sheets and data are read through
 * the session's proxy, with the rights and the working directory of the agent
 * host (design 4); the server answers in the order it was asked.
 */
export function openTuiSurface(connect: (context: SessionContext) => TuiConnection): OpenSurface {
  return (context, send) => {
    const server = connect(context);
    let inFlight = 0;
    return {
      receive(message) {
        const { wantsReply, idKey } = classifyLine(message, 'tui');
        inFlight += 1;
        void server.handle(message).then((answer) => {
          inFlight -= 1;
          if (answer !== null) send(answer, wantsReply ? JSON.parse(idKey) : undefined);
        });
      },
      get inFlight() {
        return inFlight;
      },
      close: async () => server.close(),
    };
  };
}
