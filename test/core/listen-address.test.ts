import fc from 'fast-check';
import { expect, test } from 'vitest';
import { isLoopbackName, readListenAddress } from '../../src/core/listen-address.ts';

test.each([
  ['127.0.0.1:7421', { host: '127.0.0.1', port: 7421 }],
  ['127.9.8.7:1', { host: '127.9.8.7', port: 1 }],
  ['localhost:0', { host: '127.0.0.1', port: 0 }],
  ['LocalHost:80', { host: '127.0.0.1', port: 80 }],
  ['[::1]:7421', { host: '::1', port: 7421 }],
])('%s is where one may listen', (text, address) => {
  expect(readListenAddress(text)).toEqual(address);
});

test.each([
  '0.0.0.0:7421',
  '[::]:7421',
  ':7421',
  '*:7421',
  '192.168.1.2:7421',
  '127.0.0.1.example.org:7421',
  '127.0.0.256:7421',
  '[::ffff:127.0.0.1]:7421',
  'example.org:7421',
])('%s is refused as no loopback address', (text) => {
  expect(readListenAddress(text)).toMatchObject({
    fault: expect.stringContaining('no loopback address'),
  });
});

test.each(['', '7421', '127.0.0.1', '127.0.0.1:', '127.0.0.1:65536', 'http://127.0.0.1:7421'])(
  '"%s" is refused as no HOST:PORT',
  (text) => {
    expect(readListenAddress(text)).toHaveProperty('fault');
  },
);

test('whatever is accepted is a loopback address', () => {
  const host = fc.oneof(
    fc.ipV4(),
    fc.ipV6().map((ip) => `[${ip}]`),
    fc.domain(),
    fc.string(),
  );
  fc.assert(
    fc.property(host, fc.integer({ min: -1, max: 70_000 }), (name, port) => {
      const read = readListenAddress(`${name}:${port}`);
      if ('fault' in read) return true;
      return read.host === '::1' || /^127\.\d+\.\d+\.\d+$/.test(read.host);
    }),
    { examples: [['127.0.0.1', 1]] },
  );
});

test('names that only begin like a loopback address are none', () => {
  expect(isLoopbackName('127.0.0.1')).toBe(true);
  expect(isLoopbackName('127.evil.example')).toBe(false);
  expect(isLoopbackName('localhost.evil.example')).toBe(false);
});
