import { onTestFinished } from 'vitest';
import { openLibrarySurface } from '../../src/mcp/library.ts';
import type { TestLibrary } from '../library/fixture.ts';

/** A transport of either SDK, straight into a session of the surface. */
export function connectTo(lectern: TestLibrary, harness: string | null = null) {
  const transport = {
    // biome-ignore lint/suspicious/noExplicitAny: the two SDKs name the message type differently
    onmessage: undefined as ((message: any) => void) | undefined,
    onclose: undefined as (() => void) | undefined,
    onerror: undefined as ((error: Error) => void) | undefined,
    async start() {},
    async send(message: unknown) {
      peer.receive(Buffer.from(JSON.stringify(message)));
    },
    async close() {
      await peer.close();
      transport.onclose?.();
    },
  };
  const peer = openLibrarySurface(lectern.library)(
    {
      id: 1,
      surface: 'library',
      ...lectern.session,
      harness,
      pid: 1,
      readFile: () => Promise.reject(new Error('not in this test')),
    },
    (message) => transport.onmessage?.(JSON.parse(message)),
  );
  onTestFinished(() => transport.close());
  return transport;
}
