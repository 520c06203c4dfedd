import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { counted, note, Progress, withProgress } from '../../../src/cli/terminal/notes.ts';

const { isTTY, columns } = process.stderr;
let shown = '';

beforeEach(() => {
  shown = '';
  vi.useFakeTimers({ toFake: ['performance', 'setInterval', 'clearInterval', 'setTimeout'] });
  vi.spyOn(process.stderr, 'write').mockImplementation((text) => {
    shown += String(text);
    return true;
  });
  Object.assign(process.stderr, { isTTY: true, columns: 40 });
});
afterEach(() => {
  vi.useRealTimers();
  vi.restoreAllMocks();
  Object.assign(process.stderr, { isTTY, columns });
});

function count(progress: Progress): void {
  for (const [at, milliseconds] of [0, 900, 200, 100, 300].entries()) {
    vi.advanceTimersByTime(milliseconds);
    progress.show(1000 * at);
  }
  progress.end();
}

describe('progress', () => {
  it('is a line that changes now and then, and goes away', () => {
    count(new Progress('events', 12_345));
    const [first, second] = ['clawai: 2,000 of 12,345 events', 'clawai: 4,000 of 12,345 events'];
    expect(shown).toBe(`\r${first}\r${second}\r${' '.repeat(second.length)}\r`);
  });

  it('has no total where nobody knows it, and fits the terminal', () => {
    count(new Progress('x'.repeat(100)));
    expect(shown.split('\r')[1]).toBe(`clawai: 2,000 ${'x'.repeat(25)}`);
  });

  it('counts what is gone through', () => {
    const numbers = Array.from({ length: 250 }, (_, at) => at);
    const seen = Array.from(counted(numbers, 'fixtures', 250), (number) => {
      vi.advanceTimersByTime(10);
      return number;
    });
    expect(seen).toEqual(numbers);
    expect(shown).toMatch(/^\rclawai: 100 of 250 fixtures\rclawai: 200 of 250 fixtures\r +\r$/);
  });

  it('is only for a terminal', () => {
    process.stderr.isTTY = false;
    count(new Progress('events'));
    expect(shown).toBe('');
  });

  it('tells how long something is waited for, from the first second on', async () => {
    const waited = withProgress('asking the servers', new Promise((settle) => void setTimeout(settle, 2100, 'answer')));
    await vi.advanceTimersByTimeAsync(900);
    expect(shown).toBe('');
    await vi.advanceTimersByTimeAsync(1500);
    expect(await waited).toBe('answer');
    expect(shown).toContain('\rclawai: asking the servers, 2 s');
    expect(shown).toMatch(/\r *\r$/);
  });
});

describe('what is said', () => {
  it('begins as all of ours does, and what is said again is said again', () => {
    for (let times = 0; times < 10; times++) note('there is more');
    expect(shown).toBe('clawai: there is more\n'.repeat(10));
  });

  it('with --quiet is what people have to know, and errors as they are formatted', async () => {
    vi.resetModules();
    const quiet = await import('../../../src/cli/terminal/notes.ts');
    expect(quiet.isQuiet()).toBe(false);
    quiet.beQuiet();
    expect(quiet.isQuiet()).toBe(true);
    quiet.note('there is more');
    quiet.warn('it stays as it is\n  move it away');
    quiet.printError('clawai: there is no such file\n');
    quiet.printError('');
    expect(shown).toBe('clawai: it stays as it is\n  move it away\nclawai: there is no such file\n');
  });
});
