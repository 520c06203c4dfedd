import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { chooseColour, formatDiff } from '../../../src/cli/terminal/colour.ts';
import { runCli } from '../../support/run-cli.ts';

let folder: string;
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'clawai-colour-'));
  writeFileSync(join(folder, 'p.toml'), '[[rule]]\naction = "allow"\ntool = "a"\n\n[[rule]]\naction = "allow"\ntool = "a"\n');
});
afterAll(() => rmSync(folder, { recursive: true }));

it.each<[string, readonly string[], Record<string, string>, boolean]>([
  ['no terminal', [], {}, false],
  ['FORCE_COLOR', [], { FORCE_COLOR: '1' }, true],
  ['FORCE_COLOR=0', [], { FORCE_COLOR: '0' }, false],
  ['NO_COLOR', [], { NO_COLOR: '1' }, false],
  ['--color always', ['--color', 'always'], { NO_COLOR: '1' }, true],
  ['--color never', ['--color=never'], { FORCE_COLOR: '1' }, false],
])('%s', async (_, flags, env, isColoured) => {
  const { stdout } = await runCli(['policy', 'lint', '--policy', join(folder, 'p.toml'), ...flags], { env });
  expect(stdout.includes('\u001B[')).toBe(isColoured);
});

describe('a diff', () => {
  const diff = '--- /a\n+++ /a\n@@ -1,2 +1,2 @@\n \tsame\r\n-old \u001b[2J\n+new\u202E\n';
  const tame = diff.replaceAll(/[\r\u001b\u202E]/g, '\uFFFD');
  afterEach(() => chooseColour('auto'));

  it('has colours, and nothing in it steers the terminal', () => {
    chooseColour('always');
    expect(formatDiff(diff).split('\n')).toEqual([
      '\u001b[1m--- /a\u001b[22m',
      '\u001b[1m+++ /a\u001b[22m',
      '\u001b[36m@@ -1,2 +1,2 @@\u001b[39m',
      ' \tsame\uFFFD',
      '\u001b[31m-old \uFFFD[2J\u001b[39m',
      '\u001b[32m+new\uFFFD\u001b[39m',
      '',
    ]);
  });

  it('steers no terminal without colours either, and none that a person says yes to; for a pipe it stays as it is', () => {
    chooseColour('never');
    const { isTTY } = process.stdout;
    process.stdout.isTTY = true;
    expect(formatDiff(diff)).toBe(tame);
    process.stdout.isTTY = false;
    expect(formatDiff(diff, { isAsked: true })).toBe(tame);
    expect(formatDiff(diff)).toBe(diff);
    process.stdout.isTTY = isTTY;
  });
});
