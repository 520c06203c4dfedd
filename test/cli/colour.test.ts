import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { runCli } from '../support/run-cli.ts';

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
