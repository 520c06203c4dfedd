import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { expect, it } from 'vitest';
import { isGone, ownAsker } from '../../src/session/asker.ts';

it('is there as long as it runs', async () => {
  expect(isGone(ownAsker())).toBe(false);
  const child = spawn(process.execPath, ['-e', 'setInterval(() => {}, 1000)'], { stdio: 'ignore' });
  await once(child, 'spawn');
  const pid = child.pid ?? 0;
  expect(isGone({ pid, started: '' })).toBe(false);
  child.kill('SIGKILL');
  await once(child, 'exit');
  expect(isGone({ pid, started: '' })).toBe(true);
});

it.runIf(process.platform === 'linux')('is gone when its pid is that of another process, or the machine was started anew', () => {
  const { pid, started } = ownAsker();
  const [ticks = '', boot = '', space = ''] = started.split(' ');
  expect(isGone({ pid, started: `${Number(ticks) + 1} ${boot} ${space}` })).toBe(true);
  expect(isGone({ pid, started: `${ticks} other-boot ${space}` })).toBe(true);
  // Another container's pids say nothing here.
  expect(isGone({ pid: 999_999_999, started: `${ticks} ${boot} pid:[1]` })).toBe(false);
});

it.each([0, -1, 1.5, Number.NaN])('a pid of %d is nobody', (pid) => {
  expect(isGone({ pid, started: '' })).toBe(true);
});
