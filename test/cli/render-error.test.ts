import { expect, test } from 'vitest';
import { toCategory } from '../../src/cli/base-command.ts';
import { explainFailure } from '../../src/cli/main.ts';
import { PLAIN } from '../../src/cli/paint.ts';
import { formatError, formatErrorJson } from '../../src/cli/render-error.ts';
import { LecternError } from '../../src/core/errors.ts';

test('people get an error line and the next step, and no stack', () => {
  const error = new LecternError('catalog_not_found', 'no catalog named "orchid"');
  expect(formatError(error, PLAIN, false)).toBe(
    'error: no catalog named "orchid"\nnext: lectern catalog list',
  );
});

test('--verbose shows where it came from', () => {
  const cause = new Error('ENOSPC');
  const text = formatError(new LecternError('io', 'cannot write', { cause }), PLAIN, true);
  expect(text).toContain('Error: ENOSPC\n    at ');
});

test('the JSON form has category, exit code, message, retryable and remediation', () => {
  const error = new LecternError('model_missing', 'the model is not here');
  expect(JSON.parse(formatErrorJson(error))).toEqual({
    error: {
      category: 'model_missing',
      exit_code: 30,
      message: 'the model is not here',
      retryable: false,
      remediation: 'lectern models download',
      next: 'lectern models download',
    },
  });
  expect(formatErrorJson(error)).not.toContain('\n');
});

test('credentials never reach the screen, in either form', () => {
  const error = new LecternError('git_failed', 'clone of https://ana:hunter2@git.example/x failed');
  expect(formatError(error, PLAIN, true)).not.toContain('hunter2');
  expect(formatErrorJson(error)).not.toContain('hunter2');
});

test('a fault of the parser is usage, with the help of that command as next step', () => {
  const caught = Object.assign(new Error('Nonexistent flag: --x\nSee more help with --help'), {
    parse: {},
  });
  const error = explainFailure(caught, 'catalog add');
  expect([error.category, error.message, error.next]).toEqual([
    'usage',
    'there is no flag --x',
    'lectern catalog add --help',
  ]);
});

test('a category of a newer daemon becomes internal', () => {
  expect([toCategory('io'), toCategory('from_the_future'), toCategory('toString')]).toEqual([
    'io',
    'internal',
    'internal',
  ]);
});

test('the next step of this failure is told to scripts too, and carries no credentials', () => {
  const next = 'lectern catalog add https://me:hunter2@git.example/x';
  const error = new LecternError('usage', 'try again', { next });
  expect(JSON.parse(formatErrorJson(error)).error.next).toBe(
    'lectern catalog add https://git.example/x'.replace('https://', 'https://***@'),
  );
  expect(formatError(error, PLAIN, false)).not.toContain('hunter2');
  expect(
    JSON.parse(formatErrorJson(new LecternError('composition_error', 'x'))).error,
  ).not.toHaveProperty('next');
});
