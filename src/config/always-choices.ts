import { dirname, join } from 'node:path';
import { unifiedDiff } from '../policy-tools/format/unified-diff.ts';
import { insertRule, type InsertionRequest, type InsertionResult } from './insert-rule.ts';
import { describeWidth, type RuleWidth, widthsOf } from './rule-width.ts';

/** One rule by which the policy would always allow a call. */
export interface AlwaysChoice {
  readonly width: RuleWidth;
  /** The calls that the rule allows, in a few words. */
  readonly words: string;
  /** The rule as TOML, with the empty lines around it. */
  readonly rule: string;
  /** The policy's text with the rule. */
  readonly after: string;
  /** The change of the policy as a unified diff. */
  readonly diff: string;
  /** A fixture that expects the rule to decide, and its place beside the policy; undefined for calls that fixtures can't express. */
  readonly fixture: { readonly file: string; readonly text: string } | undefined;
}

type Refusal = Extract<InsertionResult, { readonly ok: false }>;

type Choices = { readonly ok: true; readonly choices: readonly [AlwaysChoice, ...AlwaysChoice[]] };

/**
 * Works out the rules by which a policy would always allow a call: the narrowest first, then one or two wider ones if there are any. Pure:
 * it reads and writes no file.
 *
 * @param text the policy as it is now; `file` is its path
 */
export async function alwaysChoices(
  text: string,
  request: Omit<InsertionRequest, 'action' | 'width'>,
): Promise<Choices | Refusal> {
  const toRequest = (width: RuleWidth) => ({ ...request, action: 'allow' as const, width });
  const exact = await toChoice(text, toRequest('exact'));
  if ('reason' in exact) return exact;
  const wider = await Promise.all(widthsOf(request.call).map((width) => toChoice(text, toRequest(width))));
  return { ok: true, choices: [exact, ...wider.filter((choice) => 'width' in choice)] };
}

async function toChoice(
  text: string,
  request: InsertionRequest & { readonly width: RuleWidth },
): Promise<AlwaysChoice | Refusal> {
  const insertion = await insertRule(text, request);
  if (!insertion.ok) return insertion;
  const { file, width, call } = request;
  const { fixture, id } = insertion;
  return {
    width,
    words: describeWidth(call, width),
    rule: insertion.inserted,
    after: insertion.text,
    diff: unifiedDiff(file, text, insertion.text),
    fixture: fixture === undefined ? undefined : { file: join(dirname(file), 'fixtures', `${id}.json`), text: fixture },
  };
}
