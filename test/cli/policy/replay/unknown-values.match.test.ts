import { describe, expect, it } from 'vitest';
import { findUnknownValues, matchKnown } from '../../../../src/cli/policy/replay/unknown-values.ts';
import { decide } from '../../../../src/core/decide/decide.ts';
import type { JsonObject } from '../../../../src/core/json.ts';
import { compilePolicy } from '../../../../src/core/match/compile.ts';
import { POSIX, policyFrom } from '../../../support/policy.ts';

const MARK = '[redacted:password]';

/** What comes of a call whose arguments are on record like this; undefined where that can't be told. */
function actionOf(rules: string, args: JsonObject, cuts: readonly string[] = []): string | undefined {
  const unknown = findUnknownValues(args, cuts);
  let isDoubted = false;
  const { action } = decide(
    { method: 'tools/call', server: 's', tool: 't', args },
    {
      policy: compilePolicy(policyFrom(rules)),
      paths: POSIX,
      realPaths: new Map(),
      ...(unknown === undefined ? {} : { matches: matchKnown(args, unknown, () => (isDoubted = true)) }),
    },
  );
  return isDoubted ? undefined : action;
}

function rule(action: string, lines: string): string {
  return `[[rule]]\naction = "${action}"\ntool = "t"\n${lines}\n`;
}

const OPEN = '[defaults]\naction = "allow"\n';

describe('what is not on record', () => {
  it.each<[string, string, JsonObject, string | undefined]>([
    ['is looked at by a deny rule', OPEN + rule('deny', 'args.a = "x*"'), { a: MARK }, undefined],
    ['is looked at by an allow rule', rule('allow', 'args.a = "x*"'), { a: MARK }, undefined],
    ['is not looked at', OPEN + rule('deny', 'args.b = "x*"'), { a: MARK, b: 'y' }, 'allow'],
    [
      'is looked at by a rule that is not reached',
      OPEN + rule('allow', '') + rule('deny', 'args.a = "x*"'),
      { a: MARK },
      'allow',
    ],
    ['is beside a value that denies', OPEN + rule('deny', 'args."**" = "x*"'), { a: MARK, b: 'xy' }, 'deny'],
    ['is beside a value that is not allowed', rule('allow', 'args."**" = "x*"'), { a: MARK, b: 'y' }, 'deny'],
    ['may have been an object', OPEN + rule('deny', 'args.a.b = "x*"'), { a: MARK }, undefined],
    ['may have been empty', OPEN + rule('deny', 'args.a = { exists = false }'), { a: MARK }, undefined],
    ['is in a list', OPEN + rule('deny', 'args.list = "x*"'), { list: ['y', MARK] }, undefined],
    ['stands in a name', OPEN + rule('deny', 'args.a = "x*"'), { [MARK]: 'xy' }, undefined],
    ['is in an exception', rule('deny', 'unless = { args.a = "x*" }') + rule('allow', ''), { a: MARK }, undefined],
  ])('%s', (_, rules, args, expected) => {
    expect(actionOf(rules, args)).toBe(expected);
  });

  it('may be a member that was left out', () => {
    const rules = OPEN + rule('deny', 'args.a = "x*"');
    expect(actionOf(rules, { b: 'y', '…': '3 more' }, ['too_many_members'])).toBeUndefined();
    expect(actionOf(rules, { b: 'y', '…': '3 more' })).toBe('allow');
  });
});
