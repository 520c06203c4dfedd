import { existsSync, mkdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parse } from 'yaml';
import { ROOT } from './run-cli.ts';
import { type Ended, Running } from './running.ts';
import type { Sandbox } from './sandbox.ts';

interface Step {
  readonly run: string;
  readonly env?: Readonly<Record<string, string>>;
}

interface Action {
  readonly inputs: Readonly<Record<string, { readonly default: string }>>;
  readonly runs: { readonly using: string; readonly steps: readonly Step[] };
}

export interface ActionRun extends Ended {
  /** What is in the job's summary. */
  readonly summary: string;
}

/** What action.yml says. */
export const ACTION = parse(readFileSync(join(ROOT, 'action.yml'), 'utf8')) as Action;

/** Runs the steps of action.yml as GitHub's runner does, with inputs in place of their expressions, in the sandbox's folder. */
export async function runAction(sandbox: Sandbox, inputs: Readonly<Record<string, string>> = {}): Promise<ActionRun> {
  const [step, ...others] = ACTION.runs.steps;
  if (step === undefined || others.length > 0) throw new Error('the action has one step');
  for (const name of Object.keys(inputs)) if (!(name in ACTION.inputs)) throw new Error(`the action has no input ${name}`);
  if (step.run.includes('${{')) throw new Error('expressions in a script become part of it');
  const fill = (text: string): string =>
    text.replaceAll(/\$\{\{ inputs\.([a-z-]+) \}\}/g, (_, name: string) => inputs[name] ?? ACTION.inputs[name]?.default ?? '');
  const temporary = sandbox.path('runner');
  mkdirSync(temporary, { recursive: true });
  const summary = join(temporary, 'summary.md');
  const env = {
    ...sandbox.env,
    ...Object.fromEntries(Object.entries(step.env ?? {}).map(([name, value]) => [name, fill(value)])),
    GITHUB_ACTIONS: 'true',
    GITHUB_ACTION_PATH: ROOT,
    GITHUB_STEP_SUMMARY: summary,
    RUNNER_TEMP: temporary,
    CI: 'true',
  };
  const script = sandbox.write('step.sh', step.run);
  const command = ['bash', '--noprofile', '--norc', '-eo', 'pipefail', script] as const;
  const ended = await new Running(command, { env, cwd: sandbox.folder }).close();
  return { ...ended, summary: existsSync(summary) ? readFileSync(summary, 'utf8') : '' };
}
