import { usageError } from '../command.ts';
import { existsSync, mkdirSync, statSync, writeFileSync } from 'node:fs';
import { dirname, sep } from 'node:path';
import { type AlwaysChoice, alwaysChoices } from '../../config/always-choices.ts';
import type { InsertionRequest } from '../../config/insert-rule.ts';
import { readPlainFile } from '../../config/toml-file.ts';
import { findRuleHeaders } from '../../core/policy/toml-layout.ts';
import { ClawaiError } from '../../errors.ts';
import { writeAtomically } from '../../host/atomic-write.ts';
import { packageRoot } from '../../host/directories.ts';
import { resolveTarget } from '../../wrap/files/read-config.ts';
import { unifiedDiff } from '../../policy-tools/format/unified-diff.ts';

/** A change of the policy that allows a call like this one from now on. */
export interface RuleChange {
  /** The calls that it allows, in a few words. */
  readonly words: string;
  /** The change as a unified diff. */
  readonly diff: string;
  /** The policy's text after the change. */
  readonly after: string;
  /** Makes the change. @throws ClawaiError where the policy has changed meanwhile, or can't be written */
  apply(): Promise<void>;
}

/** Changes to choose from: the one that allows exactly this call, then wider ones. */
export type RuleChanges = readonly [RuleChange, ...RuleChange[]];

/**
 * Works out rules that allow a call from now on, with their fixtures, without writing one.
 *
 * @param hint what else a person can do where none can be written
 * @throws ClawaiError where no rule can be written for this call
 */
export async function prepareRules(
  policyFile: string,
  about: Pick<InsertionRequest, 'call' | 'asked'>,
  hint: string,
): Promise<RuleChanges> {
  if (policyFile.startsWith(packageRoot() + sep)) {
    throw ruleRefusal(
      'the policy that comes with clawai decides, and that stays as it is',
      'run clawai init for a policy of your own',
    );
  }
  const { text } = readPlainFile(policyFile);
  const found = await alwaysChoices(text, { file: policyFile, ...about, now: Date.now() });
  if (!found.ok) throw ruleRefusal(found.reason, hint);
  const [first, ...wider] = found.choices.map((choice) => toChange(policyFile, text, choice));
  if (first === undefined) throw new Error('there are no choices');
  return [first, ...wider];
}

function toChange(policyFile: string, text: string, { words, diff, after, fixture }: AlwaysChoice): RuleChange {
  const added = fixture === undefined || existsSync(fixture.file) ? undefined : fixture;
  return {
    words,
    diff: diff + (added === undefined ? '' : unifiedDiff(added.file, '', added.text)),
    after,
    apply: () => {
      rewritePolicy(policyFile, { before: text, after }, () => ruleRefusal('the policy has changed just now', 'try again'));
      if (added !== undefined) writeFixture(added.file, added.text);
      return Promise.resolve();
    },
  };
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
