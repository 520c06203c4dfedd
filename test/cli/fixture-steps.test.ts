import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { parseFixtures } from '../../src/cli/fixture.ts';
import type { JsonObject, JsonValue } from '../../src/core/json.ts';
import { ClawaiError, formatPlace } from '../../src/errors.ts';

const STEP = { server: 's', method: 'tools/call', params: { name: 't' } };

function faultOf(value: JsonValue): string {
  try {
    parseFixtures(JSON.stringify(value), 'f.json');
  } catch (error) {
    if (error instanceof ClawaiError && error.code === 'fixture_invalid' && error.place !== undefined) {
      return `${formatPlace(error.place)}: ${error.message}${error.hint === undefined ? '' : ` (${error.hint})`}`;
    }
    throw error;
  }
  return 'nothing was wrong with it';
}

function times(...at: readonly (string | undefined)[]): unknown[] {
  const steps = at.map((text) => (text === undefined ? STEP : { ...STEP, at: text }));
  return parseFixtures(JSON.stringify({ steps }), 'f.json').map(({ step }) => step?.at);
}

describe('a fixture with steps', () => {
  it('is a fixture for each, all of one session', () => {
    const steps: JsonObject[] = [
      { ...STEP, at: '0s', result: { content: [] }, expected: 'allow' },
      { server: 'm', method: 'tools/call', params: { name: 'send' }, turn: 'a', approved: true, expectedFlow: [] },
      { ...STEP, at: '5s', retracted: true, context: { category: ['send'] }, expectedRule: 'flow:burst' },
    ];
    const [first, second, third, ...others] = parseFixtures(JSON.stringify([{ name: 'n', steps }]), 'dir/f.json');
    expect(others).toEqual([]);
    expect(first).toEqual({
      file: 'dir/f.json',
      name: 'n',
      call: { method: 'tools/call', server: 's', tool: 't', args: undefined },
      context: {},
      expected: 'allow',
      step: {
        number: 1,
        isLast: false,
        session: { tools: new Map(), servers: new Set(['s', 'm']) },
        at: 0,
        turn: undefined,
        result: { content: [] },
        isApproved: false,
        isRetracted: false,
      },
    });
    expect(second?.step).toMatchObject({ number: 2, isLast: false, at: 0, turn: 'a', isApproved: true });
    expect(second?.expectedFlow).toEqual([]);
    expect(third?.step).toMatchObject({ number: 3, isLast: true, at: 5000, isRetracted: true });
    expect([third?.context, third?.expectedRule]).toEqual([{ categories: ['send'] }, 'flow:burst']);
    expect(second?.step?.session).toBe(first?.step?.session);
    expect(third?.step?.session).toBe(first?.step?.session);
  });

  it('shares nothing with another', () => {
    const [one, other] = parseFixtures(JSON.stringify([{ steps: [STEP] }, { steps: [STEP] }]), 'f.json');
    expect([one?.name, other?.name]).toEqual(['f 1', 'f 2']);
    expect(one?.step?.session).not.toBe(other?.step?.session);
  });

  it('has a server and a context for the steps that have none', () => {
    const fixture = {
      server: 'all',
      context: { pin: 'pinned', servers: ['all', 'x'] },
      tools: { b: ['t'], a: ['t', 'u'] },
      steps: [
        { method: 'tools/call', params: { name: 't' } },
        { ...STEP, context: { servers: [] } },
      ],
    };
    const [first, second] = parseFixtures(JSON.stringify(fixture), 'f.json');
    expect([first?.call.server, second?.call.server]).toEqual(['all', 's']);
    expect(first?.context).toMatchObject({ registry: { status: 'pinned' }, servers: ['all', 'x'] });
    expect(second?.context).toMatchObject({ registry: { status: 'pinned' }, servers: [] });
    expect([...(first?.step?.session.tools ?? [])]).toEqual([
      ['b', ['t']],
      ['a', ['t', 'u']],
    ]);
  });

  it('counts time from the start, in one unit or several', () => {
    expect(times('0s', '5s', '1m30s', '1h', '1h1ms')).toEqual([0, 5000, 90_000, 3_600_000, 3_600_001]);
    expect(times(undefined, '1.5s', undefined, '2s')).toEqual([0, 1500, 1500, 2000]);
  });

  it.each<[JsonValue, string]>([
    [{ steps: {} }, 'f.json:1:2: /steps: expected a list of steps, found an object'],
    [{ steps: [] }, 'f.json:1:2: /steps: expected at least one step'],
    [{ steps: [STEP, 'x'] }, '/steps/1: expected a step (an object), found "x"'],
    [{ method: 'tools/call', steps: [STEP] }, 'f.json:1:2: /method: unknown key "method" (it belongs to a step)'],
    [{ expected: 'deny', steps: [STEP] }, 'f.json:1:2: /expected: unknown key "expected" (it belongs to a step)'],
    [{ nmae: 'x', steps: [STEP] }, '/nmae: unknown key "nmae" (did you mean "name"?)'],
    [{ steps: [{ ...STEP, name: 'x' }] }, '/steps/0/name: unknown key "name"'],
    [{ steps: [{ ...STEP, aproved: true }] }, '/steps/0/aproved: unknown key "aproved" (did you mean "approved"?)'],
    [{ steps: [{ method: 'ping' }] }, 'f.json:1:11: /steps/0: "server" is missing'],
    [{ steps: [{ server: 's' }] }, 'f.json:1:11: /steps/0: "method" is missing'],
    [{ steps: [{ ...STEP, at: 5 }] }, '/steps/0/at: expected a string, found 5'],
    [{ steps: [{ ...STEP, at: '5' }] }, '/steps/0/at: "5" is no duration'],
    [{ steps: [{ ...STEP, at: '5S' }] }, '/steps/0/at: unknown unit "S" of a duration (did you mean "s"?)'],
    [{ steps: [{ ...STEP, at: '-5s' }] }, '/steps/0/at: "-5s" is no duration'],
    [{ steps: [{ ...STEP, at: '1m 30s' }] }, '/steps/0/at: "1m 30s" is no duration'],
    [{ steps: [{ ...STEP, at: '0.5ms' }] }, '/steps/0/at: "0.5ms" is no whole number of ms'],
    [
      {
        steps: [
          { ...STEP, at: '5s' },
          { ...STEP, at: '4s' },
        ],
      },
      '/steps/1/at: 4s is before the step before (steps are in the order in which they happen)',
    ],
    [{ steps: [{ ...STEP, result: 7 }] }, '/steps/0/result: expected what the server answers, an object or a text, found 7'],
    [{ steps: [{ ...STEP, turn: '' }] }, '/steps/0/turn: expected a string that is not empty'],
    [{ steps: [{ ...STEP, approved: false }] }, '/steps/0/approved: expected true or nothing at all, found false'],
    [{ steps: [{ ...STEP, retracted: 'yes' }] }, '/steps/0/retracted: expected true or nothing at all, found "yes"'],
    [{ steps: [{ ...STEP, retracted: true, result: 'x' }] }, '/steps/0/result: what is taken back has no result'],
    [{ steps: [{ ...STEP, expected: 'block' }] }, '/steps/0/expected: expected "allow", "deny" or "prompt", found "block"'],
    [{ steps: [{ ...STEP, context: { pn: 1 } }] }, '/steps/0/context/pn: unknown key "pn" (did you mean "pin"?)'],
    [{ context: { shadowed: 's' }, steps: [STEP] }, '/context/shadowed: only the name of a tool is shadowed'],
    [{ tools: [], steps: [STEP] }, '/tools: expected an object, found an array'],
    [{ tools: { a: 't' }, steps: [STEP] }, '/tools/a: expected a list of tools, found "t"'],
    [{ tools: { a: ['t', 1] }, steps: [STEP] }, "/tools/a/1: expected a tool's name, found 1"],
    [{ tools: { '': [] }, steps: [STEP] }, '/tools/: a server has a name'],
    [{ tools: { b: [], '7': [] }, steps: [STEP] }, '/tools/7: the order of servers whose names are numbers cannot be told'],
  ])('%j is refused', (value, fault) => {
    expect(faultOf(value)).toContain(fault);
  });
});

describe('whatever stands in a file', () => {
  const words = fc.constantFrom(
    'at',
    'server',
    'method',
    'params',
    'steps',
    'tools',
    'context',
    'turn',
    'result',
    'expectedFlow',
    'name',
  );
  const texts = fc.constantFrom('5s', '1m', 'tools/call', 'ping', 'a', '', 'burst', '__proto__');
  const { value } = fc.letrec<{ value: unknown }>((tie) => ({
    value: fc.oneof(
      { maxDepth: 4 },
      texts,
      fc.constantFrom(null, true, 0, 1.5),
      fc.array(tie('value'), { maxLength: 3 }),
      fc.dictionary(words, tie('value'), { maxKeys: 5 }),
    ),
  }));

  it('is read, or refused with a place', () => {
    const isTold = (json: unknown): void => {
      const text = JSON.stringify(json, undefined, 1);
      try {
        expect(parseFixtures(text, 'f.json').length).toBeGreaterThan(0);
      } catch (error) {
        if (!(error instanceof ClawaiError)) throw error;
        expect([error.code, error.place?.line]).toEqual(['fixture_invalid', expect.any(Number)]);
      }
    };
    const step = fc.record(
      { server: texts, method: texts, at: texts, params: value, result: value, turn: value },
      { requiredKeys: [] },
    );
    fc.assert(fc.property(value, isTold));
    fc.assert(
      fc.property(fc.record({ tools: value, context: value, steps: fc.array(step) }, { requiredKeys: ['steps'] }), isTold),
    );
  });
});
