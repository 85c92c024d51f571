import { expect, test } from 'vitest';
import { type ErrorCategory, errorTable, LecternError } from '../../src/core/errors.ts';
import { packError, unpackError } from '../../src/protocol/rpc-error.ts';

test.each(Object.keys(errorTable) as ErrorCategory[])(
  '%s arrives as the error that was thrown',
  (category) => {
    const thrown = new LecternError(category, 'what happened', {
      code: 'special_code',
      extras: { catalog: 'pear' },
      next: 'do this',
    });
    const arrived = unpackError(JSON.parse(JSON.stringify(packError(thrown))));
    expect(arrived.category).toBe(category);
    expect(arrived.message).toBe('what happened');
    expect(arrived.exitCode).toBe(thrown.exitCode);
    expect(arrived.retryable).toBe(thrown.retryable);
    expect(arrived.remediation).toBe(thrown.remediation);
    expect(arrived.next).toBe('do this');
    expect(arrived.details.code).toBe('special_code');
    expect(arrived.details.extras).toEqual({ catalog: 'pear' });
  },
);

test.each([undefined, null, 1, {}, { category: 'toString' }, { category: 'no_such' }])(
  'an error with data %j becomes internal',
  (data) => {
    expect(unpackError({ code: -32601, message: 'm', data }).category).toBe('internal');
  },
);
