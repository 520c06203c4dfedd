import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { readSource } from '../structure/source.ts';
import { ROOT } from '../support/run-cli.ts';

/** What nothing is denied by, but what no policy can switch off. */
const OPEN = `
[defaults]
action = "allow"
unmapped_tool = "allow"
[pinning]
enabled = false
[flow]
enabled = false
[detection]
enabled = false
`;

let folder: string;
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'clawai-pages-'));
});
afterAll(() => rmSync(folder, { recursive: true }));

/** Each guard's policy, and fixtures for it, as docs/fixtures.md has them. */
const examples = [...readSource('docs/fixtures.md').matchAll(/^### (.+)\n[^]*?```toml\n([^]*?)```\n\n```json\n([^]*?)```/gm)].map(
  ([, title = '', policy = '', fixtures = '']) => ({ title, policy, fixtures }),
);

interface Report {
  readonly total: number;
  readonly passed: number;
  readonly failed: number;
}

function test(
  policy: string,
  fixtures: string,
): { readonly code: number | null; readonly report: Report; readonly stderr: string } {
  const [policyFile, fixtureFile] = [join(folder, 'policy.toml'), join(folder, 'fixture.json')];
  writeFileSync(policyFile, policy);
  writeFileSync(fixtureFile, fixtures);
  const words = ['policy', 'test', '--policy', policyFile, '--fixture', fixtureFile, '--json'];
  const env = { PATH: process.env['PATH'], HOME: folder };
  const { status, stdout, stderr } = spawnSync(process.execPath, [join(ROOT, 'bin/clawai.mjs'), ...words], {
    env,
    encoding: 'utf8',
  });
  return { code: status, report: stdout === '' ? { total: 0, passed: 0, failed: 0 } : (JSON.parse(stdout) as Report), stderr };
}

describe('docs/fixtures.md', () => {
  it('has an example for every guard', () => {
    expect(examples.map(({ title }) => title)).toEqual([
      'What protects clawai itself',
      'Servers, and tools that nobody has listed',
      "The agent's own tools, and names of no known server",
      'Flow',
      'Schema',
      'Secrets',
      'Pinning',
      'Rate limits',
      'Detection in definitions',
      'Detection in results',
      'Detection in what servers ask for',
      'A person',
    ]);
  });

  it.each(examples)(
    '$title: the policy does what the fixtures say, and one without the guard does not',
    ({ title, policy, fixtures }) => {
      const { code, report, stderr } = test(policy, fixtures);
      expect({ code, stderr, ...report }).toMatchObject({ code: 0, stderr: '', failed: 0, passed: report.total });
      expect(report.total).toBeGreaterThan(1);
      const open = test(OPEN, fixtures);
      expect(open.code).toBe(title === 'What protects clawai itself' ? 0 : 1);
    },
  );
});
