import { usageError } from '../command.ts';
import { existsSync, mkdirSync, statSync, writeFileSync } from 'node:fs';
import { dirname, join, sep } from 'node:path';
import { insertRule, type Insertion, type InsertionRequest } from '../../config/insert-rule.ts';
import { readPlainFile } from '../../config/toml-file.ts';
import { findRuleHeaders } from '../../core/policy/toml-layout.ts';
import { ClawaiError } from '../../errors.ts';
import { writeAtomically } from '../../host/atomic-write.ts';
import { packageRoot } from '../../host/directories.ts';
import { resolveTarget } from '../../wrap/files/read-config.ts';
import { unifiedDiff } from '../../wrap/files/unified-diff.ts';

/** A change of the policy that allows a call like this one from now on. */
export interface RuleChange {
  /** The change as a unified diff. */
  readonly diff: string;
  /** The policy's text after the change. */
  readonly after: string;
  /** Makes the change. @throws ClawaiError where the policy has changed meanwhile, or can't be written */
  apply(): Promise<void>;
}

/**
 * Works out a rule that allows a call from now on, with its fixture, without writing either.
 *
 * @param hint what else a person can do where none can be written
 * @throws ClawaiError where no rule can be written for this call
 */
export async function prepareRule(
  policyFile: string,
  about: Pick<InsertionRequest, 'call' | 'asked'>,
  hint: string,
): Promise<RuleChange> {
  if (policyFile.startsWith(packageRoot() + sep)) {
    throw ruleRefusal(
      'the policy that comes with clawai decides, and that stays as it is',
      'run clawai init for a policy of your own',
    );
  }
  const { text } = readPlainFile(policyFile);
  const insertion = await insertRule(text, { file: policyFile, ...about, action: 'allow', now: Date.now() });
  if (!insertion.ok) throw ruleRefusal(insertion.reason, hint);
  const fixture = fixtureFile(policyFile, insertion);
  const addition = fixture === undefined ? '' : unifiedDiff(fixture, '', insertion.fixture ?? '');
  return {
    diff: unifiedDiff(policyFile, text, insertion.text) + addition,
    after: insertion.text,
    apply: () => {
      rewritePolicy(policyFile, { before: text, after: insertion.text }, () =>
        ruleRefusal('the policy has changed just now', 'try again'),
      );
      if (fixture !== undefined) writeFixture(fixture, insertion.fixture ?? '');
      return Promise.resolve();
    },
  };
}

/** The fixture's file beside the policy, by the rule's id; undefined if fixtures can't tell the call, or the file exists. */
function fixtureFile(policy: string, { id, fixture }: Insertion): string | undefined {
  const file = join(dirname(policy), 'fixtures', `${id}.json`);
  return fixture === undefined || existsSync(file) ? undefined : file;
}

function writeFixture(file: string, text: string): void {
  try {
    mkdirSync(dirname(file), { recursive: true, mode: statSync(dirname(dirname(file))).mode & 0o777 });
    writeFileSync(file, text, { flag: 'wx', mode: 0o600 });
  } catch (thrown) {
    throw new ClawaiError(`the policy was changed, but its fixture could not be written: ${String(thrown)}`, {
      code: 'config_unwritable',
      place: { file },
      hint: 'the rule counts all the same; answer the call, or leave it to the rule',
      cause: thrown,
    });
  }
}

/** The error that says why no rule is written. */
export function ruleRefusal(reason: string, hint: string): ClawaiError {
  return usageError(`no rule can be written for this call: ${reason}`, hint);
}

interface PolicyTexts {
  readonly before: string;
  readonly after: string;
}

/**
 * Puts a new text in the place of a policy's, if it still has the one that the change was worked out for.
 *
 * @param toChanged makes the error where it has not
 * @throws ClawaiError where it has changed, or can't be read or written
 */
export function rewritePolicy(file: string, { before, after }: PolicyTexts, toChanged: () => ClawaiError): void {
  // A link is kept, and the file that it leads to is changed.
  const { path, stats } = resolveTarget(file);
  writeAtomically(path, Buffer.from(after), {
    mode: Number(stats.mode) & 0o777,
    owner: { uid: Number(stats.uid), gid: Number(stats.gid) },
    beforeReplacing: () => {
      if (readPlainFile(path).text !== before) throw toChanged();
    },
  });
}

/**
 * The line, from 1, on which each rule of a policy's text starts, in file order. `count` is the number of its rules. Only where rules are written in a rare way is it read by a second TOML parser, which takes long.
 */
export async function linesOfRules(text: string, count: number): Promise<readonly number[]> {
  const found = findRuleHeaders(text);
  if (found.length === count) return found;
  const { createLocator } = await import('../../core/policy/locate.ts');
  const { readTomlLayout } = await import('../../core/policy/toml-layout.ts');
  const { nearest } = createLocator(readTomlLayout(text));
  return Array.from({ length: count }, (_, index) => nearest(['rule', index]).line);
}
