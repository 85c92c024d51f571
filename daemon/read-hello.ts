import type { z } from 'zod';
import { helloSchema } from '../src/protocol/hello.ts';
import { FRAME, type Frame } from '../src/protocol/link/frames.ts';
import { type Hello, parseObject } from '../src/protocol/link/hello.ts';

/** The hello that a connection begins with, or what is wrong with its first frame, in words. */
export function readHello({ kind, payload }: Frame): Hello | { fault: string } {
  const given = kind === FRAME.hello ? parseObject<Hello>(payload) : undefined;
  const checked = helloSchema.safeParse(given);
  return checked.success ? checked.data : { fault: explain(given, checked.error) };
}

/** Which member cannot be read, and the limit that it breaks. */
function explain(given: unknown, { issues }: z.ZodError): string {
  const [issue] = issues;
  if (given === undefined || issue === undefined || issue.path.length === 0) {
    return 'the first frame must be a hello that can be read';
  }
  return `the hello cannot be read: ${issue.path.join('.')}: ${issue.message}`;
}
