import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { VERSION } from '../../../src/cli/machine/version.ts';
import { runCli } from '../../support/run-cli.ts';

let home: string;
beforeEach(() => (home = mkdtempSync(join(tmpdir(), 'clawai-version-'))));
afterEach(() => rmSync(home, { recursive: true }));

it('clawai version says what a report of a mistake needs', async () => {
  const policy = join(home, 'p.toml');
  writeFileSync(policy, '');
  const env = { HOME: home, CLAWAI_POLICY: policy };
  const { code, stdout } = await runCli(['version', '--json'], { env });
  expect(code).toBe(0);
  expect(JSON.parse(stdout)).toMatchObject({
    version: VERSION,
    node: process.versions.node,
    policy,
    policy_is_shipped: false,
    store: join(home, '.local', 'state', 'clawai', 'clawai.db'),
  });
  expect((await runCli(['version'], { env: { HOME: home } })).stdout).toMatch(/^clawai {4}\S+\n[^]*default\.toml \(shipped\)\n/);
});

it('says the version also where policy and config are faulty', async () => {
  writeFileSync(join(home, 'c.toml'), 'nonsense = 1');
  const env = { HOME: home, CLAWAI_POLICY: join(home, 'none.toml'), CLAWAI_CONFIG: join(home, 'c.toml') };
  const { code, stdout } = await runCli(['version', '--json'], { env });
  expect(code).toBe(0);
  expect(JSON.parse(stdout)).toMatchObject({ version: VERSION, policy: null, store: null });
});
