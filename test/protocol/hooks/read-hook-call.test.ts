import { describe, expect, it } from 'vitest';
import type { HookForm } from '../../../src/protocol/hooks/hook-client.ts';
import { HOOK_CLIENTS } from '../../../src/protocol/hooks/hook-clients.ts';
import { readHookCall } from '../../../src/protocol/hooks/read-hook-call.ts';
import { INPUTS } from './inputs.ts';

function clientOf(id: string): (typeof HOOK_CLIENTS)[number] {
  const client = HOOK_CLIENTS.find((each) => each.id === id);
  if (client === undefined) throw new Error(`no client is called ${id}`);
  return client;
}

function show({ server, name, args }: HookForm): string {
  return `${server === undefined ? '' : `${server}/`}${name} ${args}`;
}

describe.each(INPUTS)('$client, $about [$source]', ({ client, payload, forms, id = '', cwd }) => {
  const read = (text: string): ReturnType<typeof readHookCall> => readHookCall(text, clientOf(client));

  it('is read in all the ways in which a policy may know it', () => {
    const call = read(JSON.stringify(payload));
    expect(call.forms.map(show)).toEqual(forms);
    expect(call.forms.every(({ problem }) => problem === undefined)).toBe(true);
    expect([call.id, call.cwd]).toEqual([id, cwd]);
  });

  it('is read the same with white space, and members that nobody knows', () => {
    const more = read(JSON.stringify({ unknown: { nested: ['x'] }, ...payload, another: 1 }, undefined, 2));
    expect(more.forms.map(({ name, args }) => [name, JSON.parse(args)])).toEqual(
      read(JSON.stringify(payload)).forms.map(({ name, args }) => [name, JSON.parse(args)]),
    );
  });

  it('is no call with any of its text cut off', () => {
    const text = JSON.stringify(payload);
    for (let end = 0; end < text.length; end++) expect(() => read(text.slice(0, end))).toThrow(client);
  });
});

it('every client has an input here', () => {
  expect(new Set(INPUTS.map(({ client }) => client))).toEqual(new Set(HOOK_CLIENTS.map(({ id }) => id)));
});

describe.each(HOOK_CLIENTS)('$id', (client) => {
  it.each([
    '',
    ' ',
    '[]',
    'null',
    '"x"',
    '1',
    '{}',
    '{"tool_name":"Bash"}',
    '{"hook_event_name":"PostToolUse","tool_name":"Bash"}',
    '{"toolName":1}',
    '{"tool":""}',
  ])('denies what is no call: %s', (text) => {
    expect(() => readHookCall(text, client)).toThrow(client.id);
  });
});

describe('arguments', () => {
  const [claude] = HOOK_CLIENTS;
  const read = (input: string): HookForm | undefined =>
    readHookCall(`{"hook_event_name":"PreToolUse","tool_name":"Bash","tool_input":${input}}`, claude ?? clientOf('')).forms[0];

  it.each([
    ['{"a":9007199254740993}', undefined],
    ['{"command":"a","command":"b"}', 'duplicate_key'],
    ['{"__proto__":1}', 'duplicate_key'],
    ['[1]', 'not_an_object'],
    ['null', 'not_an_object'],
    ['"no JSON"', 'invalid_json'],
  ])('%s are taken as they are, with their problem', (input, problem) => {
    expect(read(input)?.problem).toBe(problem);
    if (problem === undefined) expect(read(input)?.args).toBe(input);
  });
});
