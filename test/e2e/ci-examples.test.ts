import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { parse } from 'yaml';
import { blocksOf } from '../support/doc-page.ts';
import { DocumentedMachine } from '../support/documented-machine.ts';
import { ACTION } from '../support/run-action.ts';
import { ROOT } from '../support/run-cli.ts';

interface Hook {
  readonly id: string;
  readonly entry: string;
  readonly args: readonly string[];
  readonly files: string;
}

const BLOCKS = blocksOf('docs/policy-in-ci.md');
const HOOKS = parse(readFileSync(join(ROOT, '.pre-commit-hooks.yaml'), 'utf8')) as readonly Hook[];

/** A file that the page shows. */
function shown<T>(name: string): T {
  const block = BLOCKS.find(({ file }) => file === name);
  if (block === undefined) throw new Error(`the page does not show ${name}`);
  return parse(block.text) as T;
}

describe('what docs/policy-in-ci.md shows of CI', () => {
  let machine: DocumentedMachine;
  beforeAll(() => {
    machine = new DocumentedMachine();
    for (const { file, text } of BLOCKS) if (file !== undefined) machine.write(file, text);
  });
  afterAll(() => machine.remove());

  it('the workflow for GitHub gives the action inputs that it has', () => {
    const { jobs } = shown<{ jobs: { policy: { steps: { uses: string; with?: object }[] } } }>('.github/workflows/policy.yml');
    const step = jobs.policy.steps.find(({ uses }) => uses.startsWith('OWNER/clawai@'));
    const inputs = Object.keys(step?.with ?? {});
    expect(inputs).not.toEqual([]);
    expect(Object.keys(ACTION.inputs)).toEqual(expect.arrayContaining(inputs));
  });

  it('so does the step that the README shows', () => {
    const [block] = blocksOf('README.md').filter(({ language }) => language === 'yaml');
    const [step] = parse(block?.text ?? '') as readonly { uses: string; with: object }[];
    expect(step?.uses).toBe('OWNER/clawai@REF');
    expect(Object.keys(ACTION.inputs)).toEqual(expect.arrayContaining(Object.keys(step?.with ?? {})));
  });

  it('the job for GitLab passes, and leaves the report that it names', async () => {
    const { policy } = shown<{ policy: { script: string[]; artifacts: { reports: { junit: string } } } }>('.gitlab-ci.yml');
    const { code, stderr } = await machine.run(`set -e\n${policy.script.join('\n')}`);
    expect([code, stderr]).toEqual([0, '']);
    expect(readFileSync(join(machine.folder, policy.artifacts.reports.junit), 'utf8')).toContain('<testsuite');
  });

  it('the hooks for pre-commit are those that there are', () => {
    const { repos } = shown<{ repos: { hooks: { id: string }[] }[] }>('.pre-commit-config.yaml');
    const ids = repos.flatMap(({ hooks }) => hooks.map(({ id }) => id));
    expect(HOOKS.map(({ id }) => id)).toEqual(expect.arrayContaining(ids));
  });

  it.each(HOOKS)(
    '$id passes where the policy is as the page has it, and looks when it changes',
    async ({ entry, args, files }) => {
      const { code } = await machine.run([join(ROOT, entry), ...args].join(' '));
      expect(code).toBe(0);
      expect('policy.toml').toMatch(new RegExp(files));
    },
  );
});
