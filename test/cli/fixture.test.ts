import { describe, expect, it } from 'vitest';
import { DEFAULT_SERVER, parseFixtures } from '../../src/cli/fixture.ts';
import { ExactNumber } from '../../src/core/json.ts';
import { ClawaiError, formatPlace } from '../../src/errors.ts';

const CALL = '"method":"tools/call","params":{"name":"t"}';

function faultOf(text: string, mustExpect = false): string {
  try {
    parseFixtures(text, 'f.json', { mustExpect });
  } catch (error) {
    if (error instanceof ClawaiError && error.code === 'fixture_invalid' && error.place !== undefined) {
      return `${formatPlace(error.place)}: ${error.message}${error.hint === undefined ? '' : ` (${error.hint})`}`;
    }
    throw error;
  }
  throw new Error('nothing was wrong with it');
}

describe('parseFixtures', () => {
  it('reads a tool call, with all that may stand beside it', () => {
    const text = `{"name":"n","server":"s","method":"tools/call","params":{"name":"t","arguments":{"id":9007199254740993}},"expected":"deny","expectedRule":2}`;
    expect(parseFixtures(text, 'dir/f.json')).toEqual([
      {
        file: 'dir/f.json',
        name: 'n',
        context: {},
        call: { method: 'tools/call', server: 's', tool: 't', args: { id: new ExactNumber('9007199254740993') } },
        expected: 'deny',
        expectedRule: 2,
      },
    ]);
  });

  it('reads what a server asks for itself as the gate does: its params are the arguments', () => {
    const text = `[{"server":"s","method":"sampling/createMessage","params":{"maxTokens":1}},{"server":"s","method":"roots/list"}]`;
    expect(parseFixtures(text, 'f.json').map(({ call }) => call)).toEqual([
      { method: 'sampling/createMessage', server: 's', args: { maxTokens: 1 } },
      { method: 'roots/list', server: 's', args: undefined },
    ]);
  });

  it('leaves the place of a schema to editors, of calls and sessions', () => {
    const schema = '"$schema":"./fixture.schema.json"';
    const plain = `{${CALL}}`;
    expect(parseFixtures(`{${schema},${CALL}}`, 'f.json')).toEqual(parseFixtures(plain, 'f.json'));
    const steps = `"steps":[{"server":"s",${CALL}}]`;
    expect(parseFixtures(`[{${schema},${steps}}]`, 'f.json')).toEqual(parseFixtures(`[{${steps}}]`, 'f.json'));
    expect(faultOf(`{"$schema":7,${CALL}}`)).toBe('f.json:1:2: /$schema: expected the place of a schema (a string), found 7');
    expect(faultOf(`{"steps":[{${schema},"server":"s",${CALL}}]}`)).toContain('unknown key "$schema"');
  });

  it('reads resources, prompts and other methods', () => {
    const text = `[{"method":"resources/read","params":{"uri":"file:///a"}},{"method":"prompts/get","params":{"name":"p","arguments":{"a":"b"}}},{"method":"ping"}]`;
    expect(parseFixtures(text, 'f.json').map(({ call }) => call)).toEqual([
      { method: 'resources/read', server: DEFAULT_SERVER, resource: 'file:///a' },
      { method: 'prompts/get', server: DEFAULT_SERVER, prompt: 'p', args: { a: 'b' } },
      { method: 'ping', server: DEFAULT_SERVER },
    ]);
  });

  it('names what has no name after its file, with a number where there are several', () => {
    expect(parseFixtures(`{${CALL}}`, 'a/b.json').map(({ name }) => name)).toEqual(['b']);
    expect(parseFixtures(`[{${CALL}},{"name":"x",${CALL}},{${CALL}}]`, 'a\\b.json').map(({ name }) => name)).toEqual([
      'b 1',
      'x',
      'b 3',
    ]);
  });

  it('skips a byte order mark, takes null for no arguments and for "no rule"', () => {
    const [fixture] = parseFixtures(
      `\uFEFF{"method":"tools/call","params":{"name":"t","arguments":null},"expectedRule":null}`,
      'f.json',
    );
    expect(fixture).toMatchObject({ expectedRule: null, call: { args: undefined } });
  });

  it.each([
    ['', 'f.json:1:1: the fixture is not JSON: expected a value, found the end of the file'],
    ['{\n  "method": "x",\n}', 'f.json:3:1: the fixture is not JSON: expected a key in double quotes, found "}"'],
    ['{"expected": "allow",\n"expected": "deny"}', 'f.json:2:1: the key "expected" occurs twice'],
    ['{"method": tools/call}', 'f.json:1:12: the fixture is not JSON: expected a value, found "t"'],
    ['7', 'f.json:1:1: expected a fixture (an object), found 7'],
    ['null', 'f.json:1:1: expected a fixture (an object), found null'],
    ['[]', 'f.json:1:1: expected a fixture or an array of them, found an empty array'],
    [`[{${CALL}},\n "x"]`, 'f.json:2:2: /1: expected a fixture (an object), found "x"'],
    ['{}', 'f.json:1:1: "method" is missing (for example "method": "tools/call")'],
    ['{"method":1}', 'f.json:1:2: /method: expected a string, found 1'],
    ['{"method":""}', 'f.json:1:2: /method: expected a string that is not empty'],
    ['{"method":"tools/call"}', 'f.json:1:1: "params" is missing; tools/call has some'],
    ['{"method":"ping","params":[]}', 'f.json:1:18: /params: expected an object, found an array'],
    ['{"method":"tools/call","params":{}}', 'f.json:1:24: /params: params.name is not a string'],
    ['{"method":"tools/call","params":{"name":"t","arguments":"x"}}', 'f.json:1:24: /params: params.arguments is not an object'],
    [
      '{"method":"resources/get","params":{"uri":"a://b"}}',
      'f.json:1:27: /params: this makes several calls (write a fixture for each)',
    ],
    ['{"method":"resources/read","params":{}}', 'f.json:1:28: /params: params.uri is not a string'],
    [
      '{"method":"resources/read","params":{"name":"t"}}',
      'f.json:1:38: /params/name: unknown key "name" ("params" of resources/read has uri, _meta, inputResponses, requestState)',
    ],
    [
      '{"method":"tools/call","params":{"name":"t","argumens":{}}}',
      'f.json:1:45: /params/argumens: unknown key "argumens" (did you mean "arguments"?)',
    ],
    ['{"method":"prompts/get","params":{"nam":"t"}}', '/params/nam: unknown key "nam" (did you mean "name"?)'],
    [`{${CALL},"expected":"block"}`, 'f.json:1:46: /expected: expected "allow", "deny" or "prompt", found "block"'],
    [
      `{${CALL},"expected":"dney"}`,
      'f.json:1:46: /expected: expected "allow", "deny" or "prompt", found "dney" (did you mean "deny"?)',
    ],
    [`{${CALL},"expected":null}`, 'f.json:1:46: /expected: expected "allow", "deny" or "prompt", found null'],
    [`{${CALL},"expcted":"deny"}`, 'f.json:1:46: /expcted: unknown key "expcted" (did you mean "expected"?)'],
    [
      `{${CALL},"a/b":1}`,
      'f.json:1:46: /a~1b: unknown key "a/b" (a fixture has name, server, method, params, context, expected, expectedRule, expectedFlow, expectedRequest, steps, $schema)',
    ],
    [`{${CALL},"turn":"1"}`, 'f.json:1:46: /turn: unknown key "turn" (it is for a fixture with "steps")'],
    [
      `{${CALL},"expectedRequest":"pass"}`,
      '/expectedRequest: this is no request of a server (it is for "sampling/createMessage", "elicitation/create", "roots/list")',
    ],
    [
      '{"method":"elicitation/create","expectedRequest":"denied"}',
      '/expectedRequest: expected "pass", "alert", "redact", "deny", found "denied"',
    ],
    [`{${CALL},"expectedFlow":"burst"}`, '/expectedFlow: expected a list of flow rules, found "burst"'],
    [
      `{${CALL},"expectedFlow":["bursts"]}`,
      '/expectedFlow/0: expected "read_then_send", "cross_server_flow", "burst", "shadow_tool", found "bursts" (did you mean "burst"?)',
    ],
    [`{${CALL},"expectedFlow":["burst","burst"]}`, '/expectedFlow/1: this flow rule is there twice'],
    [`{${CALL},"__proto__":1}`, 'f.json:1:46: /__proto__: unknown key'],
    [`{${CALL},"server":""}`, 'f.json:1:46: /server: expected a string that is not empty'],
    [
      `{${CALL},"expectedRule":0}`,
      'f.json:1:46: /expectedRule: expected the id of a rule, its number from 1, or null for none, found 0',
    ],
    [`{${CALL},"expectedRule":1.5}`, 'found 1.5'],
    [`{${CALL},"expectedRule":1.0}`, 'found 1.0'],
    [`{${CALL},"expectedRule":""}`, 'found ""'],
  ])('refuses %s', (text, fault) => {
    expect(faultOf(text)).toContain(fault);
  });

  it.each([
    [`{${CALL}}`, '1:1: "expected" is missing'],
    [`[{${CALL},"expected":"deny"},{${CALL}}]`, '1:66: /1: "expected" is missing'],
    [`{"server":"s","steps":[{${CALL}},{${CALL}}]}`, '1:15: /steps: none of the steps has "expected"'],
  ])('refuses what expects nothing, where something has to be: %s', (text, fault) => {
    expect(() => parseFixtures(text, 'f.json')).not.toThrow();
    expect(faultOf(text, true)).toContain(`f.json:${fault} (write "expected"`);
  });

  it('takes anything that is expected, and of steps one that expects something', () => {
    const steps = `{"server":"s","steps":[{${CALL}},{${CALL},"expectedFlow":[]}]}`;
    const texts = [steps, `{${CALL},"expectedRule":null}`, `{${CALL},"expected":"deny"}`];
    for (const text of texts) expect(() => parseFixtures(text, 'f.json', { mustExpect: true })).not.toThrow();
  });
});
