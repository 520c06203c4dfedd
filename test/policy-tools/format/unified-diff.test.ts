import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { unifiedDiff } from '../../../src/policy-tools/format/unified-diff.ts';

/** Applies a unified diff as its format says; throws where an unchanged or removed line is not the text's. */
function patch(text: string, diff: string): string {
  const source = text.split(/(?<=\n)/);
  let out: string[] = [];
  let at = 0;
  const lines = diff.split(/(?<=\n)/).slice(2);
  for (let i = 0; i < lines.length; i++) {
    const line = lines[i] ?? '';
    const head = /^@@ -(\d+)(?:,(\d+))? \+(\d+)(?:,(\d+))? @@\n$/.exec(line);
    if (head !== null) {
      const start = head[2] === '0' ? Number(head[1]) : Number(head[1]) - 1;
      out = out.concat(source.slice(at, start));
      at = start;
      expect(out.length).toBe(head[4] === '0' ? Number(head[3]) : Number(head[3]) - 1);
      continue;
    }
    const hasNoEnd = lines[i + 1]?.startsWith('\\') === true;
    const content = hasNoEnd ? line.slice(1, -1) : line.slice(1);
    if (line.startsWith('\\')) continue;
    if (line.startsWith('+')) out.push(content);
    else {
      expect(content).toBe(source[at++]);
      if (line.startsWith(' ')) out.push(content);
    }
  }
  return [...out, ...source.slice(at)].join('');
}

const text = fc
  .tuple(fc.array(fc.constantFrom('a', 'b', 'c', 'd\r', ''), { maxLength: 30 }), fc.boolean())
  .map(([lines, ends]) => lines.join('\n') + (ends && lines.length > 0 ? '\n' : ''));

describe('unifiedDiff', () => {
  it('applied to the old text gives the new one', () => {
    fc.assert(
      fc.property(text, text, (before, after) => {
        expect(patch(before, unifiedDiff('f', before, after))).toBe(after);
      }),
      { numRuns: 500 },
    );
  });

  it('is what git shows', () => {
    const lines = Array.from({ length: 40 }, (_, i) => `line ${i}\n`);
    const before = lines.join('');
    const after = [...lines.slice(0, 4), 'new\n', ...lines.slice(5, 20), ...lines.slice(22), 'end'].join('');
    const folder = mkdtempSync(join(tmpdir(), 'clawai-diff-'));
    writeFileSync(join(folder, 'a'), before);
    writeFileSync(join(folder, 'b'), after);
    const { stdout } = spawnSync('git', ['diff', '--no-index', '--minimal', 'a', 'b'], { cwd: folder, encoding: 'utf8' });
    rmSync(folder, { recursive: true });
    const hunks = stdout.slice(stdout.indexOf('@@')).replace(/^(@@ .* @@).*$/gm, '$1');
    expect(unifiedDiff('f', before, after)).toBe(`--- f\n+++ f\n${hunks}`);
  });

  it('is nothing where nothing changed', () => {
    expect(unifiedDiff('f', 'a\n', 'a\n')).toBe('');
  });

  it('of a large text with changes at both ends takes no time', () => {
    const lines = Array.from({ length: 200_000 }, (_, i) => `line ${i}\n`);
    const after = ['new\n', ...lines, 'end\n'].join('');
    expect(patch(lines.join(''), unifiedDiff('f', lines.join(''), after))).toBe(after);
  });
});
