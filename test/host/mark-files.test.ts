import { mkdirSync, mkdtempSync, readdirSync, rmSync, utimesSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { MarkFiles } from '../../src/host/mark-files.ts';

let folder = '';
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'clawai-marks-'));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

const marks = (warnings: string[] = []): MarkFiles => new MarkFiles(join(folder, 'state'), (line) => void warnings.push(line));
const names = (): string[] => readdirSync(join(folder, 'state', 'results'));

describe('MarkFiles', () => {
  it('are seen by other processes from when they are made until they are taken away, each in its session', () => {
    const [one, other] = [marks(), marks()];
    expect(other.others('s')).toEqual([]);
    const [first, second] = [one.add('s'), one.add('s')];
    expect(other.others('s')).toHaveLength(2);
    expect([one.others('s'), other.others('t')]).toEqual([[], []]);
    first();
    expect(other.others('s')).toHaveLength(1);
    expect(names().join()).not.toContain('s.s');
    first();
    second();
    expect(names()).toEqual([]);
  });

  it.each([
    ['that is old', -11_000],
    ['of a time to come', 60_000],
  ])('one %s counts no more, and is removed', (_, age) => {
    const one = marks();
    one.add('s');
    const [name = ''] = names();
    const then = new Date(Date.now() + age);
    utimesSync(join(folder, 'state', 'results', name), then, then);
    expect(marks().others('s')).toEqual([]);
    expect(names()).toEqual([]);
  });

  it('is renewed while its process lives, for as long as anybody reads', () => {
    vi.useFakeTimers({ now: Date.now() });
    const [one, other] = [marks(), marks()];
    const remove = one.add('s');
    const seen = (after: number): number => {
      vi.advanceTimersByTime(after);
      return other.others('s').length;
    };
    expect([seen(9000), seen(9000), seen(9000), seen(40_000), seen(15_000)]).toEqual([1, 1, 1, 1, 0]);
    remove();
    expect(vi.getTimerCount()).toBe(0);
    vi.useRealTimers();
  });

  it('that somebody has left is removed by whoever makes one next, in whatever session', () => {
    marks().add('left');
    const [name = ''] = names();
    utimesSync(join(folder, 'state', 'results', name), 0, 0);
    marks().add('s');
    expect(names()).toHaveLength(1);
  });

  it('are made also where somebody has removed their folder', () => {
    const [one, other] = [marks(), marks()];
    one.add('s');
    rmSync(join(folder, 'state'), { recursive: true });
    one.add('s');
    expect(other.others('s')).toHaveLength(1);
  });

  it('that cannot be made are told of once; where they cannot be looked for, that is no answer', () => {
    mkdirSync(join(folder, 'state'));
    writeFileSync(join(folder, 'state', 'results'), '');
    const warnings: string[] = [];
    const one = marks(warnings);
    one.add('s')();
    one.add('s')();
    expect(warnings).toHaveLength(1);
    expect(() => one.others('s')).toThrow(/ENOTDIR/);
  });
});
