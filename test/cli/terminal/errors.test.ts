import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { formatBug, formatError, formatPolicyFaults, createExcerpts, formatExcerpt } from '../../../src/cli/terminal/errors.ts';
import { ClawaiError, type ClawaiErrorInit } from '../../../src/errors.ts';

const at = (line: number) => ({ file: 'p.toml', line, column: 3 });
const excerpt = (): string => '2 | acton\n  |   ^\n';

function format(message: string, init: Omit<ClawaiErrorInit, 'code'>, shown?: () => string): string {
  return formatError(new ClawaiError(message, { code: 'policy_invalid', ...init }), shown);
}

describe('formatError', () => {
  it.each<[string, Omit<ClawaiErrorInit, 'code'>, string]>([
    ['what', {}, 'clawai: what\n'],
    ['where', { place: { file: 'f' } }, 'clawai: f: where\n'],
    ['f is damaged', { place: { file: 'f' } }, 'clawai: f is damaged\n'],
    ['finer than f', { place: { file: 'f' } }, 'clawai: f: finer than f\n'],
    ['p.toml is wrong there', { place: at(2) }, 'clawai: p.toml:2:3: p.toml is wrong there\n'],
    ['where exactly', { place: at(2), hint: 'do this' }, 'clawai: p.toml:2:3: where exactly\n  do this\n'],
    ['p.toml: 1 error', { faults: [{ place: at(2), message: 'm', hint: 'h' }] }, 'clawai: p.toml:2:3: m\n  h\n'],
    [
      'p.toml: 2 errors',
      {
        faults: [
          { place: at(2), message: 'm', hint: 'h' },
          { place: { file: 'p.toml' }, message: 'n' },
        ],
      },
      'clawai: p.toml: 2 errors\n  p.toml:2:3: m\n    h\n  p.toml: n\n',
    ],
  ])('%s', (message, init, text) => {
    expect(format(message, init)).toBe(text);
  });

  it('shows the line of each fault, between what is wrong and what to do', () => {
    expect(format('', { faults: [{ place: at(2), message: 'm', hint: 'h' }] }, excerpt)).toBe(
      'clawai: p.toml:2:3: m\n  2 | acton\n    |   ^\n  h\n',
    );
    const faults = [2, 2].map((line) => ({ place: at(line), message: 'm' }));
    expect(format('two', { faults }, excerpt)).toBe(
      'clawai: two\n  p.toml:2:3: m\n    2 | acton\n      |   ^\n  p.toml:2:3: m\n    2 | acton\n      |   ^\n',
    );
  });

  it('lets no message steer the terminal or look like another line', () => {
    expect(format('a\u001b[2J\nb', { hint: 'c\rd' })).toBe('clawai: a\uFFFD[2J\n  b\n  c\uFFFDd\n');
  });
});

it('faults of a policy begin their lines with the place, as linters do', () => {
  expect(formatPolicyFaults('p.toml', [{ place: at(2), message: 'm', hint: 'h' }], excerpt)).toBe(
    'p.toml:2:3: m\n  2 | acton\n    |   ^\n  h\n\nclawai: p.toml is no valid policy: 1 error\n',
  );
});

describe('formatBug', () => {
  it('says whose fault it is, then the stack and its causes, each line recognisably ours', () => {
    const text = formatBug(new TypeError('x', { cause: new Error('y', { cause: 'z' }) }));
    expect(text).toMatch(/^clawai: this is a bug in clawai\./);
    expect(text).toMatch(/\n {2}TypeError: x\n {6}at [^]*\n {2}caused by Error: y\n[^]*\n {2}caused by z\n$/);
    expect(
      text
        .trimEnd()
        .split('\n')
        .slice(1)
        .filter((line) => !line.startsWith('  ')),
    ).toEqual([]);
  });

  it('ends, also where a cause is its own cause', () => {
    const error = new Error('x');
    error.cause = error;
    expect(formatBug(error).match(/caused by/g)).toHaveLength(4);
  });
});

describe('formatExcerpt', () => {
  it('puts a caret below the column', () => {
    expect(formatExcerpt('a\nacton = "x"\n', 2, 3)).toBe('2 | acton = "x"\n  |   ^\n');
  });

  it('keeps the caret in place behind tabs, and lets nothing steer the terminal', () => {
    expect(formatExcerpt('\t\u001b[31mx\r\n', 1, 2)).toBe('1 |   [31mx\n  |  ^\n');
  });

  it('cuts a long line around the column', () => {
    const [shown = '', caret = ''] = formatExcerpt(`${'a'.repeat(500)}X${'b'.repeat(500)}`, 1, 501).split('\n');
    expect(shown.length).toBeLessThan(120);
    expect(shown[caret.indexOf('^')]).toBe('X');
  });

  it('is empty for a line that is not there', () => {
    expect(formatExcerpt('a', 7, 1)).toBe('');
  });
});

describe('createExcerpts', () => {
  it('reads the file of a place, past a BOM, and once', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'clawai-excerpt-'));
    const file = join(folder, 'p.toml');
    await writeFile(file, '\uFEFFacton = 1\n');
    const excerptOf = createExcerpts();
    expect(excerptOf({ file, line: 1, column: 1 })).toBe('1 | acton = 1\n  | ^\n');
    await rm(folder, { recursive: true });
    expect(excerptOf({ file, line: 1, column: 2 })).toBe('1 | acton = 1\n  |  ^\n');
    expect(createExcerpts()({ file, line: 1, column: 1 })).toBe('');
  });

  it('has nothing to show for a place without a line', () => {
    expect(createExcerpts()({ file: 'package.json' })).toBe('');
  });
});
