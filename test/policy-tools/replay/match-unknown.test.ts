import { describe, expect, it } from 'vitest';
import { decide } from '../../../src/core/decide/decide.ts';
import type { JsonObject } from '../../../src/core/json.ts';
import { compilePolicy } from '../../../src/core/match/compile.ts';
import { explore } from '../../../src/policy-tools/replay/explore.ts';
import { createMatchUnknown } from '../../../src/policy-tools/replay/match-unknown.ts';
import { findUnknownValues } from '../../../src/policy-tools/replay/unknown-values.ts';
import { POSIX, policyFrom } from '../../support/policy.ts';

const MARK = '[redacted:password]';

/** The actions that may have come of a call whose arguments are on record like this. */
function actions(rules: string, args: JsonObject, cuts: readonly string[] = []): readonly string[] {
  const policy = compilePolicy(policyFrom(rules));
  const unknown = findUnknownValues(args, cuts);
  const worlds = explore((choose) =>
    decide(
      { method: 'tools/call', server: 's', tool: 't', args },
      {
        policy,
        paths: POSIX,
        realPaths: new Map(),
        ...(unknown === undefined ? {} : { matches: createMatchUnknown(args, unknown)(choose) }),
      },
    ),
  );
  return [...new Set(Array.from(worlds, ({ value }) => value.action))].sort();
}

function rule(action: string, lines: string): string {
  return `[[rule]]\naction = "${action}"\ntool = "t"\n${lines}\n`;
}

const OPEN = '[defaults]\naction = "allow"\n';

describe('what is not on record', () => {
  it.each<[string, string, JsonObject, readonly string[]]>([
    ['is looked at by a deny rule', OPEN + rule('deny', 'args.a = "x*"'), { a: MARK }, ['allow', 'deny']],
    ['is looked at by an allow rule', rule('allow', 'args.a = "x*"'), { a: MARK }, ['allow', 'deny']],
    ['is not looked at', OPEN + rule('deny', 'args.b = "x*"'), { a: MARK, b: 'y' }, ['allow']],
    ['is beside a value that denies', OPEN + rule('deny', 'args."**" = "x*"'), { a: MARK, b: 'xy' }, ['deny']],
    ['is beside a value that is not allowed', rule('allow', 'args."**" = "x*"'), { a: MARK, b: 'y' }, ['deny']],
    ['may have been an object', OPEN + rule('deny', 'args.a.b = "x*"'), { a: MARK }, ['allow', 'deny']],
    ['may have been empty', OPEN + rule('deny', 'args.a = { exists = false }'), { a: MARK }, ['allow', 'deny']],
    ['is in a list', OPEN + rule('deny', 'args.list = "x*"'), { list: ['y', MARK] }, ['allow', 'deny']],
    ['stands in a name', OPEN + rule('deny', 'args.a = "x*"'), { [MARK]: 'xy' }, ['allow', 'deny']],
    ['is in an exception', rule('deny', 'unless = { args.a = "x*" }') + rule('allow', ''), { a: MARK }, ['allow', 'deny']],
    ['comes to the same', OPEN + rule('allow', 'args.a = "x*"'), { a: MARK }, ['allow']],
  ])('%s', (_, rules, args, expected) => {
    expect(actions(rules, args)).toEqual(expected);
  });

  it('may be a member that was left out', () => {
    const rules = OPEN + rule('deny', 'args.a = "x*"');
    expect(actions(rules, { b: 'y', '…': '3 more' }, ['too_many_members'])).toEqual(['allow', 'deny']);
    expect(actions(rules, { b: 'y', '…': '3 more' })).toEqual(['allow']);
  });

  it('is the same to all rules that ask the same, whatever else they ask', () => {
    const twice = `${OPEN}${rule('deny', 'args.a = "x*"')}${rule('prompt', 'args.a = "x*"')}`;
    expect(actions(twice, { a: MARK })).toEqual(['allow', 'deny']);
    const other = `${OPEN}${rule('deny', 'args.a = "x*"')}${rule('prompt', 'args.a = "y*"')}`;
    expect(actions(other, { a: MARK })).toEqual(['allow', 'deny', 'prompt']);
    const whole = (value: string): string => rule('deny', `args = { equals = { a = "${value}" } }`);
    const names = [
      ...explore((choose) => {
        const args = { a: MARK };
        const unknown = findUnknownValues(args, []);
        const policy = compilePolicy(policyFrom(OPEN + whole('x') + whole('y')));
        if (unknown === undefined) throw new Error('it is unknown');
        return decide(
          { method: 'tools/call', server: 's', tool: 't', args },
          { policy, paths: POSIX, realPaths: new Map(), matches: createMatchUnknown(args, unknown)(choose) },
        ).rule?.index;
      }),
    ].map(({ value }) => value);
    expect(names).toEqual([undefined, 1, 0]);
  });
});
