import { spawn } from 'node:child_process';
import { mkdtempSync, readdirSync, readFileSync, rmSync, utimesSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { identifySelf, isAlive } from '../../src/protocol/link/process-identity.ts';
import { readSpawnTicket, takeSpawnTicket } from '../../src/protocol/link/spawn-ticket.ts';

function ticketPath(): string {
  const directory = mkdtempSync(join(tmpdir(), 'lectern-ticket-'));
  onTestFinished(() => rmSync(directory, { recursive: true, force: true }));
  return join(directory, 'spawn.ticket');
}

/** A process that has ended and been waited for. */
async function deadPid(): Promise<number> {
  const child = spawn('true');
  await new Promise((resolve) => child.once('exit', resolve));
  return child.pid!;
}

test('one of two gets the ticket, the other after its release', () => {
  const path = ticketPath();
  const first = takeSpawnTicket(path);
  expect(first).toBeDefined();
  expect(takeSpawnTicket(path)).toBeUndefined();
  first!.release();
  expect(takeSpawnTicket(path)).toBeDefined();
});

test('the ticket of a dead process is taken over', async () => {
  const path = ticketPath();
  writeFileSync(path, JSON.stringify({ ...identifySelf(), pid: await deadPid() }));
  expect(takeSpawnTicket(path)).toBeDefined();
  expect(JSON.parse(readFileSync(path, 'utf8')).pid).toBe(process.pid);
  expect(readdirSync(join(path, '..'))).toEqual(['spawn.ticket']);
});

test('the ticket of an earlier process with our pid is taken over', () => {
  const path = ticketPath();
  writeFileSync(path, JSON.stringify({ ...identifySelf(), startTime: '1' }));
  expect(takeSpawnTicket(path)).toBeDefined();
});

test('the ticket of an earlier boot is taken over', () => {
  const path = ticketPath();
  writeFileSync(path, JSON.stringify({ ...identifySelf(), bootId: 'another' }));
  expect(takeSpawnTicket(path)).toBeDefined();
});

test('a torn ticket is respected while it is young and taken over when it is old', () => {
  const path = ticketPath();
  writeFileSync(path, '{"pid":');
  expect(takeSpawnTicket(path)).toBeUndefined();
  utimesSync(path, 1, 1);
  expect(takeSpawnTicket(path)).toBeDefined();
});

test('a torn ticket from before the clock was set back is taken over', () => {
  const path = ticketPath();
  writeFileSync(path, '');
  const tomorrow = Date.now() / 1000 + 86_400;
  utimesSync(path, tomorrow, tomorrow);
  expect(takeSpawnTicket(path)).toBeDefined();
});

test('a ticket whose living holder has had its time is taken over, by one', () => {
  const path = ticketPath();
  const held = JSON.stringify({ ...identifySelf(), pid: process.ppid, startTime: null });
  writeFileSync(path, held);
  expect(readSpawnTicket(path)).toBe(held);
  expect(takeSpawnTicket(path)).toBeUndefined();
  expect(takeSpawnTicket(path, held)).toBeDefined();
  // Whoever judged the former one comes too late.
  expect(takeSpawnTicket(path, held)).toBeUndefined();
  expect(readdirSync(join(path, '..'))).toEqual(['spawn.ticket']);
});

test('a ticket that somebody took over meanwhile is not removed by its old holder', () => {
  const path = ticketPath();
  const first = takeSpawnTicket(path)!;
  writeFileSync(path, 'of another');
  first.release();
  expect(readFileSync(path, 'utf8')).toBe('of another');
});

test('a stopped process is alive', async () => {
  const child = spawn('sleep', ['60']);
  onTestFinished(() => void child.kill('SIGKILL'));
  process.kill(child.pid!, 'SIGSTOP');
  expect(isAlive({ pid: child.pid!, startTime: null, bootId: null })).toBe(true);
});

test('a process that we may not signal is alive', () => {
  // Pid 1 exists always; as root it may be signalled, and is alive either way.
  expect(isAlive({ pid: 1, startTime: null, bootId: null })).toBe(true);
});

test.each([0, -1, 1.5, Number.NaN])('pid %d is nobody', (pid) => {
  expect(isAlive({ pid, startTime: null, bootId: null })).toBe(false);
});
