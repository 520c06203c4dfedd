import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { createExcerpts, formatExcerpt } from '../../../src/cli/terminal/excerpt.ts';

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
    const excerpt = createExcerpts();
    expect(excerpt({ file, line: 1, column: 1 })).toBe('1 | acton = 1\n  | ^\n');
    await rm(folder, { recursive: true });
    expect(excerpt({ file, line: 1, column: 2 })).toBe('1 | acton = 1\n  |  ^\n');
    expect(createExcerpts()({ file, line: 1, column: 1 })).toBe('');
  });

  it('has nothing to show for a place without a line', () => {
    expect(createExcerpts()({ file: 'package.json' })).toBe('');
  });
});
