import { describe, expect, it } from 'vitest';
import type { CallVerdict, ModelCall, NameVerdict } from '../../../../../src/protocol/llm/dialect.ts';
import { createResponsesStream } from '../../../../../src/protocol/llm/openai/responses/stream.ts';
import { type Driven, driveModelStream, type Driving, everySplit } from '../../../../support/drive-model-stream.ts';
import { accumulateResponse } from '../../../../support/response-accumulator.ts';
import {
  begun,
  call,
  completed,
  custom,
  frame,
  type Item,
  itemEvents,
  message,
  numbered,
  numberedFrames,
  REASONING,
  shell,
  stream,
  type WireEvent,
} from '../../../../support/response-events.ts';

const READ = call('read', '{"path":"/a","é":"🏔"}');
const WRITE = call('write', '{"to":"/b"}');
const PATCH = custom('apply_patch', '*** Begin Patch\n*** Update File: a.txt\n*** End Patch');
const SHELL = shell(['ls -l', 'cat "b"']);
const NO = { isAllowed: false, note: '[clawai] No.' } as const;

function drive(source: string | readonly string[], driving: Omit<Driving, 'create'> = {}): Driven {
  const chunks = (typeof source === 'string' ? [source] : source).map((text) => Buffer.from(text));
  return driveModelStream(chunks, { create: createResponsesStream, nameVerdict: () => 'hold', ...driving });
}
const denying =
  (...names: readonly string[]) =>
  ({ name }: ModelCall): CallVerdict =>
    names.includes(name) ? NO : { isAllowed: true };

/** A note as an item. */
const noted = (note: string = NO.note): unknown => ({
  id: expect.stringMatching(/^msg_clawai_[\w-]{16}$/) as unknown,
  type: 'message',
  status: 'completed',
  role: 'assistant',
  content: [{ type: 'output_text', annotations: [], logprobs: [], text: note }],
});

describe('a stream of responses', () => {
  it('goes on byte for byte where nothing is denied by name, and calls are asked about at their end', () => {
    const source = stream([REASONING, message('Well, é🏔.'), READ, PATCH, SHELL]);
    const { text, asked, named } = drive(source, { nameVerdict: () => 'allow' });
    expect(text).toBe(source);
    expect(named.map(({ name, args }) => [name, args])).toEqual([
      ['read', undefined],
      ['apply_patch', undefined],
      ['shell', undefined],
    ]);
    expect(asked).toMatchObject([
      { id: READ['call_id'], args: READ['arguments'], answer: 'resp_1', runBy: 'client', problem: undefined },
      { name: 'apply_patch', args: JSON.stringify({ input: PATCH['input'] }) },
      { name: 'shell', args: JSON.stringify(SHELL['action']) },
    ]);
  });

  it('has a held call whole once it is allowed, its pieces as one', () => {
    const { text } = drive(stream([message('So.'), READ, SHELL, PATCH]));
    const made = accumulateResponse(text);
    expect(made.items).toEqual([message('So.'), READ, SHELL, PATCH]);
    expect(made.output).toEqual(made.items);
    expect(text.match(/function_call_arguments.delta\n/g)).toHaveLength(1);
  });

  it('shows a denied call at none of its four places, and a message in its place', () => {
    const driven = drive(stream([REASONING, READ, WRITE]), { verdict: denying('read') });
    const made = accumulateResponse(driven.text);
    expect(made.items).toEqual([REASONING, noted(), WRITE]);
    expect(made.output).toEqual(made.items);
    expect(driven.text).not.toContain('"read","arguments"');
    expect(driven.text).not.toContain('/a');
  });

  it('gives the events of a note the numbers of those that they replace', () => {
    const { text } = drive(stream([READ]), { nameVerdict: () => 'deny', verdict: () => NO });
    const numbers = [...text.matchAll(/"sequence_number":(\d+)/g)].map(([, number]) => Number(number));
    expect(numbers).toEqual(numbers.toSorted((a, b) => a - b));
    expect(numbers.slice(0, 4)).toEqual([0, 1, 2, 3]);
    expect(numbers.at(-1)).toBe(numbered([...begun(), ...itemEvents(READ, 0)]).split('\n\n').length - 1);
  });

  it.each<[string, NameVerdict, (call: ModelCall) => CallVerdict]>([
    ['allowed', 'allow', () => ({ isAllowed: true })],
    ['held', 'hold', denying('read', 'shell')],
    ['denied', 'deny', () => NO],
  ])('cut at every byte is the same, its calls %s', (_what, mode, verdict) => {
    const source = stream([message('Well, é.'), call('read', '{"é":1}'), shell(['ls'])]);
    const driving = { create: createResponsesStream, nameVerdict: () => mode, verdict };
    const whole = driveModelStream([Buffer.from(source)], driving);
    for (const chunks of everySplit(source)) expect(driveModelStream(chunks, driving).text).toBe(whole.text);
  });

  it('is rewritten with names of events where it has none', () => {
    const source = stream([message('So.'), READ]).replaceAll(/event: .*\n/g, '');
    expect(drive(source).text).toBe(drive(stream([message('So.'), READ])).text);
  });
});

describe('each type of call', () => {
  const CALLER = { caller: { type: 'program', caller_id: 'prog_1' } };
  it.each<[string, Item, Partial<ModelCall>]>([
    ['of a namespace', call('create', '{}', { namespace: 'mcp__github' }), { name: 'create', group: 'mcp__github' }],
    ['by a program', call('read', '{}', CALLER), { name: 'read', runBy: 'client' }],
    ['whose result may come later', call('read', '{}', { async: true }), { name: 'read' }],
    ['without a status', custom('run', 'ls', { status: undefined }), { name: 'run', args: '{"input":"ls"}' }],
    [
      'of several commands',
      shell(['a', 'b']),
      { name: 'shell', args: '{"commands":["a","b"],"timeout_ms":null,"max_output_length":1000}', runBy: 'client' },
    ],
    ['in a container', shell(['a'], { environment: { type: 'container_reference' } }), { name: 'shell', runBy: 'provider' }],
    [
      'of the local shell',
      { type: 'local_shell_call', id: 'lsh', call_id: 'c', action: { type: 'exec', command: ['ls'], env: {} } },
      { id: 'c', name: 'local_shell', args: '{"type":"exec","command":["ls"],"env":{}}' },
    ],
    [
      'of a patch',
      { type: 'apply_patch_call', id: 'p', call_id: 'c', operation: { type: 'update_file', path: 'a', diff: '+b' } },
      { name: 'apply_patch', args: '{"type":"update_file","path":"a","diff":"+b"}' },
    ],
    [
      'of a computer',
      { type: 'computer_call', id: 'cu', call_id: 'c', pending_safety_checks: [], action: { type: 'click', x: 1, y: 2 } },
      { name: 'computer', args: expect.stringContaining('"type":"click","x":1,"y":2') as string },
    ],
    [
      'of a computer, one of a list',
      { type: 'computer_call', id: 'cu', call_id: 'c', actions: [{ type: 'type', text: 'x' }] },
      { name: 'computer', args: '{"type":"type","text":"x"}' },
    ],
    [
      'of a computer, many',
      { type: 'computer_call', id: 'cu', call_id: 'c', actions: [{ type: 'wait' }, { type: 'type', text: 'x' }] },
      { name: 'computer', args: '{"actions":[{"type":"wait"},{"type":"type","text":"x"}]}' },
    ],
    [
      'that wants consent',
      { type: 'mcp_approval_request', id: 'mcpr_1', server_label: 'github', name: 'create', arguments: '{"a":1}' },
      { id: 'mcpr_1', name: 'create', server: 'github', args: '{"a":1}', runBy: 'client' },
    ],
    [
      'that the provider has made',
      { type: 'mcp_call', id: 'mcp_1', server_label: 'github', name: 'create', arguments: '{"a":1}', output: 'done' },
      { id: 'mcp_1', name: 'create', server: 'github', runBy: 'provider' },
    ],
    [
      'of a search',
      { type: 'web_search_call', id: 'ws_1', status: 'completed', action: { type: 'search', query: 'x' } },
      { name: 'web_search', args: '{"type":"search","query":"x"}', runBy: 'provider' },
    ],
    [
      'of a program',
      { type: 'program', id: 'pr_1', call_id: 'c', code: 'await read()', fingerprint: 'f' },
      { name: 'programmatic_tool_calling', args: '{"code":"await read()"}', runBy: 'provider' },
    ],
    [
      'of a search for tools',
      { type: 'tool_search_call', id: 'ts_1', call_id: 'c', execution: 'client', arguments: { query: 'x' } },
      { name: 'tool_search', args: '{"query":"x"}', runBy: 'client' },
    ],
  ])('%s is asked about, and goes or not', (_what, item, expected) => {
    const allowed = drive(stream([item]));
    expect(allowed.asked).toMatchObject([{ ...expected, problem: undefined }]);
    expect(accumulateResponse(allowed.text).items).toEqual(JSON.parse(JSON.stringify([item])));
    const denied = accumulateResponse(drive(stream([item]), { verdict: () => NO }).text);
    expect(denied.items).toEqual([noted()]);
    expect(denied.output).toEqual(denied.items);
  });

  it('that the provider has run and is denied has no result either', () => {
    const run = shell(['a'], { environment: { type: 'container_reference' } });
    const result = { type: 'shell_call_output', id: 'o', call_id: 'call_sh', output: [{ stdout: 'secret' }] };
    const { text } = drive(stream([run, result]), { verdict: () => NO });
    expect(accumulateResponse(text).items).toEqual([noted(), noted('[clawai] The result of this call is withheld.')]);
    expect(text).not.toContain('secret');
  });

  it('among a hundred at a time is decided alone', () => {
    const calls = Array.from({ length: 100 }, (_, n) => call('read', `{"n":${n}}`, { call_id: `c_${n}`, id: `fc_${n}` }));
    const parts = calls.map((item, index) => itemEvents(item, index));
    // All begin before the first one ends.
    const woven = [...parts.flatMap(([first]) => first ?? []), ...parts.flatMap((events) => events.slice(1))];
    const { text } = drive(numbered([...begun(), ...woven, completed(calls)]), {
      verdict: ({ id }) => (Number(id.slice(2)) % 3 === 0 ? NO : { isAllowed: true }),
    });
    const made = accumulateResponse(text);
    expect(made.items).toEqual(calls.map((item, n) => (n % 3 === 0 ? noted() : item)));
    expect(made.output).toEqual(made.items);
  });
});

describe('what does not wait', () => {
  it('is text of an item that has begun, untouched, also while somebody is asked', () => {
    const [said, asked] = [itemEvents(message('So. There.'), 0), itemEvents(READ, 1)];
    const frames = numberedFrames([
      ...begun(),
      ...said.slice(0, 2),
      ...asked,
      ...said.slice(2),
      completed([message('So. There.'), READ]),
    ]);
    const { text } = drive(frames, { answers: 'after the end' });
    expect(text.indexOf('"delta":"So. The"')).toBeLessThan(text.indexOf('"name":"read","arguments"'));
    expect(text).toContain(frames[2 + 2 + asked.length]);
  });

  it('but another item waits behind a held call', () => {
    const { text } = drive(stream([READ, message('So.'), WRITE]), { answers: 'after the end', verdict: denying('write') });
    expect(accumulateResponse(text).items).toEqual([READ, message('So.'), noted()]);
  });

  it('tells whether something is held, and is kept alive by an event of the API', () => {
    const frames = numberedFrames([...begun(), ...itemEvents(message('So.'), 0), ...itemEvents(READ, 1)]);
    const held = drive(frames).steps.map(({ isHolding }) => isHolding);
    const before = 2 + itemEvents(message('So.'), 0).length;
    expect(held).toEqual(frames.map((_, at) => at >= before && at < frames.length - 1));
    const made = createResponsesStream({
      output: { pass() {}, own() {}, text() {}, parts() {}, ask() {}, fault() {} },
      nameVerdict: () => 'hold',
      maxHeld: 1,
    });
    expect(made.keepAlive).toBe('event: keepalive\ndata: {"type":"keepalive","sequence_number":0}\n\n');
  });

  it('passes a keep-alive of upstream, and events that nobody knows and that are no calls', () => {
    const source = numbered([
      ...begun(),
      { type: 'keepalive' },
      { type: 'response.mood.changed', mood: 'good' },
      ...itemEvents(message('So.'), 0),
      completed([message('So.')]),
    ]);
    expect(drive(source).text).toBe(source);
  });
});

describe('events of one call that are not one', () => {
  const other = '{"path":"/etc/shadow"}';
  const events = itemEvents(READ, 0);
  const done = events.length - 1;
  const changed = (at: number, change: object): readonly WireEvent[] =>
    events.map((event, n) => (n === at ? { ...event, ...change } : event));
  it.each<[string, readonly WireEvent[], string]>([
    ['pieces', changed(1, { delta: '{"path":"/etc/shadow' }), 'invalid_json'],
    ['the end of the arguments', changed(done - 1, { arguments: other }), 'invalid_json'],
    ['the end of the item', changed(done, { item: { ...READ, arguments: other } }), 'invalid_json'],
    ['the beginning of the item', changed(0, { item: { ...READ, arguments: other } }), 'invalid_json'],
    ['another name', changed(done, { item: { ...READ, name: 'write' } }), 'unclear'],
    ['another namespace', changed(0, { item: { ...READ, arguments: '', namespace: 'x' } }), 'unclear'],
    ['another id of the call', changed(done, { item: { ...READ, call_id: 'call_x' } }), 'unclear'],
    ['another type', changed(done, { item: { ...PATCH, call_id: READ['call_id'] } }), 'unclear'],
  ])('differ in %s: it is asked about as such, and does not go', (_what, made, problem) => {
    const driven = drive(numbered([...begun(), ...made, completed([READ])]), {
      verdict: (asked) => (asked.problem === undefined ? { isAllowed: true } : NO),
    });
    expect(driven.asked[0]).toMatchObject({ problem });
    expect(driven.asked[0]?.inHistory).toBeUndefined();
    expect(accumulateResponse(driven.text).items).toEqual([noted()]);
    expect(driven.text).not.toContain('shadow');
  });

  it('in the whole answer at the end, which then shows what was decided', () => {
    const { text, asked } = drive(
      numbered([...begun(), ...itemEvents(READ, 0), ...itemEvents(WRITE, 1), completed([{ ...READ, arguments: other }, WRITE])]),
      { verdict: denying('write') },
    );
    expect(asked).toHaveLength(2);
    expect(accumulateResponse(text).output).toEqual([READ, noted()]);
  });

  const EVIL = call('shell', '{"command":"cat /etc/shadow"}');
  it.each<[string, object, string]>([
    ['an item', { item: EVIL }, 'a call where none is expected'],
    ['an item of any type', { item: { type: 'program', code: 'cat /etc/shadow' } }, 'a call where none is expected'],
    ['a whole answer', { response: { output: [EVIL] } }, 'a call where none is expected'],
    ['an output', { output: [EVIL] }, 'a call where none is expected'],
    ['a call in words of another API', { function: { name: 'shell', arguments: '{}' } }, 'a call where none is expected'],
    ['a command beside the arguments', { command: 'cat /etc/shadow' }, 'a part of a call that cannot be read'],
    ['a piece beside the arguments', { delta: '/etc/shadow' }, 'a part of a call that cannot be read'],
    ['an action', { action: { commands: ['cat /etc/shadow'] } }, 'an event that clawai does not know'],
    ['another name', { name: 'shell' }, 'a part of a call that cannot be read'],
    ['another id of the call', { call_id: 'call_x' }, 'a part of a call that cannot be read'],
  ])('have %s beside the arguments: the answer ends', (_what, more, why) => {
    for (const mode of ['hold', 'allow'] as const) {
      const { text, fault } = drive(numbered([...begun(), ...changed(done - 1, more)]), { nameVerdict: () => mode });
      expect(fault).toContain(why);
      expect(text).not.toMatch(/shadow|"shell"|call_x/);
    }
  });

  it('may name their call, which then has that name at its end', () => {
    const named = changed(done - 1, { name: 'read', call_id: READ['call_id'] });
    expect(accumulateResponse(drive(numbered([...begun(), ...named, completed([READ])])).text).items).toEqual([READ]);
    const late = named.map((event, n) => (n === 0 ? { ...event, item: { ...READ, arguments: '', name: '' } } : event));
    expect(drive(numbered([...begun(), ...late])).asked).toMatchObject([{ name: 'read', problem: undefined }]);
    const renamed = late.map((event, n) => (n === done - 1 ? { ...event, name: 'write' } : event));
    expect(drive(numbered([...begun(), ...renamed])).asked).toMatchObject([{ name: 'read', problem: 'unclear' }]);
  });

  it.each<NameVerdict>(['hold', 'allow'])('begin with empty arguments in JSON, which then have none (%s)', (mode) => {
    const empty = changed(0, { item: { ...READ, arguments: '{}' } });
    const driven = drive(numbered([...begun(), ...empty, completed([READ])]), { nameVerdict: () => mode });
    expect(driven.asked).toMatchObject([{ args: READ['arguments'], problem: undefined }]);
    expect(accumulateResponse(driven.text).items).toEqual([READ]);
    expect(driven.text).toContain('"arguments":"","status":"completed"}}\n\n');
    const none = call('read', '{}');
    const whole = [{ type: 'response.output_item.added', output_index: 0, item: none }, ...itemEvents(none, 0).slice(-1)];
    expect(drive(numbered([...begun(), ...whole, completed([none])])).asked).toMatchObject([{ args: '{}', problem: undefined }]);
  });

  it('may have other ids of items, as gateways give them', () => {
    const made = changed(done, { item: { ...READ, id: 'fc_other' } });
    expect(drive(numbered([...begun(), ...made, completed([{ ...READ, id: 'fc_third' }])])).asked).toMatchObject([
      { problem: undefined },
    ]);
  });
});

describe('a call in another place', () => {
  it('only in the whole answer at the end is asked about, and replaced there', () => {
    const { text, asked } = drive(numbered([...begun(), completed([READ, WRITE])]), { verdict: denying('read') });
    expect(asked.map(({ name }) => name)).toEqual(['read', 'write']);
    expect(accumulateResponse(text).output).toEqual([noted(), WRITE]);
  });

  it('a second time in the whole answer is asked about again', () => {
    let times = 0;
    const { asked, text } = drive(numbered([...begun(), ...itemEvents(READ, 0), completed([READ, READ])]), {
      verdict: () => (times++ === 0 ? { isAllowed: true } : NO),
    });
    expect(asked).toHaveLength(2);
    expect(accumulateResponse(text).output).toEqual([READ, noted()]);
  });

  it('in an early state of the answer is left out there, until it is decided', () => {
    const { text } = drive(numbered([...begun([READ, message('So.')]), completed([READ])]), { verdict: denying('read') });
    expect(text).not.toContain('"name":"read","arguments"');
    expect(text).toContain('"text":"So."');
    const again = drive(
      numbered([
        ...begun(),
        ...itemEvents(READ, 0),
        ...begun([READ]).slice(1),
        ...itemEvents(WRITE, 1),
        completed([READ, WRITE]),
      ]),
      { verdict: denying('write') },
    );
    expect(accumulateResponse(again.text).output).toEqual([READ, noted()]);
    expect(again.text.match(/"name":"read","arguments":"\{/g)).toHaveLength(3);
  });

  it('whose item has only an end is decided all the same', () => {
    const only = itemEvents(READ, 0).slice(-1);
    const source = numbered([...begun(), ...itemEvents(READ, 0).slice(1), completed([READ])]);
    const denied = drive(source, { verdict: () => NO });
    expect(accumulateResponse(denied.text).items).toEqual([noted()]);
    const allowed = drive(source);
    expect(allowed.text).not.toContain('function_call_arguments');
    expect(accumulateResponse(allowed.text).items).toEqual([READ]);
    expect(allowed.text).toContain(JSON.stringify((only[0] as unknown as { item: Item }).item));
  });

  it.each<[string, readonly object[], string]>([
    ['an item that begins twice', [...itemEvents(READ, 0), ...itemEvents(WRITE, 0)], 'an item that begins twice'],
    [
      'an item before one that has begun',
      [...itemEvents(message('So.'), 1), ...itemEvents(READ, 0)],
      'an item that begins out of order',
    ],
    ['an item at an odd place', [{ type: 'response.output_item.added', output_index: -1, item: READ }], 'at no place'],
    ['an item of an unknown type', itemEvents({ type: 'robot_call', id: 'r' }, 0), '"robot_call"'],
    [
      'an unknown event with an item',
      [{ type: 'response.thing.made', output_index: 0, item: { type: 'x' } }],
      'a call where none is expected',
    ],
    ['an unknown event with a command', [{ type: 'response.thing.made', command: 'ls' }], '"response.thing.made"'],
    [
      'a message that is a call in the end',
      [itemEvents(message('So.'), 0)[0] as object, { type: 'response.output_item.done', output_index: 0, item: READ }],
      'a call that cannot be read',
    ],
    [
      'a message with a call in it',
      itemEvents({ ...message('So.'), tool_calls: [{ function: { name: 'read' } }] }, 0),
      'a call where none is expected',
    ],
    ['an event of text with a call', [{ type: 'response.output_text.delta', delta: 'x', tool_call: READ }], 'a call where'],
    ['an answer in other words', [{ ...completed([]), choices: [{ message: { tool_calls: [READ] } }] }], 'a call where'],
    ['a call that has another in it', itemEvents({ ...READ, function: { name: 'x', arguments: '{}' } }, 0), 'cannot be read'],
    ['a key that some read as another', itemEvents({ ...READ, Name: 'write' }, 0), 'a key that some readers'],
  ])('ends the answer: %s', (_what, made, why) => {
    const { fault, text } = drive(numbered([...begun(), ...(made as WireEvent[])]), { verdict: () => NO });
    expect(fault).toContain(why);
    expect(text).toMatch(/event: error\ndata: \{"type":"error",[^\n]+"message":"clawai ended this answer[^\n]+\n\n$/);
    expect(text).not.toContain('/a');
  });

  it('may come in words that nobody knows where nothing is decided', () => {
    const source = numbered([
      ...begun(),
      ...itemEvents({ type: 'robot_call', id: 'r' }, 0),
      { type: 'response.thing.made', command: 'ls' },
      completed([{ type: 'robot_call', id: 'r' }]),
    ]);
    expect(drive(source, { nameVerdict: () => 'allow', passesUnknown: true }).text).toBe(source);
  });
});

it('what goes on after a break begins with any item', () => {
  const rest = [...itemEvents(message('So.'), 3).slice(2), ...itemEvents(READ, 4), completed([message('So.'), READ])];
  const { text } = drive(numbered(rest), { verdict: () => NO });
  expect(text).toContain('"delta":"So."');
  expect(text).not.toContain('"name":"read","arguments"');
  expect(text).toContain('[clawai] No.');
});

describe('items without an index', () => {
  const without = (events: readonly WireEvent[], ...keys: readonly string[]): readonly WireEvent[] =>
    events.map((event) => Object.fromEntries(Object.entries(event).filter(([key]) => !keys.includes(key))) as WireEvent);
  const said = message('So.');

  it.each<[string, readonly WireEvent[]]>([
    ['one after the other, by their ids', [said, READ, WRITE].flatMap((item, n) => without(itemEvents(item, n), 'output_index'))],
    [
      'one after the other, by their order',
      [said, READ, WRITE].flatMap((item, n) => without(itemEvents(item, n), 'output_index', 'item_id')),
    ],
    [
      'that end together, by their ids',
      ((all) => [...all.flatMap((events) => events.slice(0, -1)), ...all.flatMap((events) => events.slice(-1))])(
        [said, READ, WRITE].map((item, n) => without(itemEvents(item, n), 'output_index')),
      ),
    ],
    [
      'whose pieces alone have none',
      [said, READ, WRITE].flatMap((item, n) =>
        itemEvents(item, n).flatMap((event) => (event['item'] === undefined ? without([event], 'output_index') : [event])),
      ),
    ],
  ])('%s are decided', (_what, events) => {
    const source = numbered([...begun(), ...events, completed([said, READ, WRITE])]);
    for (const answers of ['at once', 'next chunk', 'after the end'] as const) {
      const { text, fault, asked } = drive(source, { answers, verdict: denying('write') });
      expect([fault, asked.map(({ name, problem }) => [name, problem])]).toEqual([
        undefined,
        [
          ['read', undefined],
          ['write', undefined],
        ],
      ]);
      expect(text).toContain('"delta":"So."');
      expect(text).not.toContain('/b');
      expect(text).toMatch(/response.output_item.done[^\n]+"output_index":2,"item":\{"id":"msg_clawai_/);
      expect(text).toContain(`"output":[${JSON.stringify(said)},${JSON.stringify(READ)},{"id":"msg_clawai_`);
    }
    const live = drive(source, { nameVerdict: () => 'allow' }).text;
    expect(live.split('\n\n').toSorted()).toEqual(source.split('\n\n').toSorted());
  });

  it.each<[string, readonly WireEvent[]]>([
    [
      'a part of one of two calls',
      [
        ...without(itemEvents(READ, 0).slice(0, 1), 'output_index'),
        ...without(itemEvents(WRITE, 1).slice(0, 1), 'output_index'),
        ...without(itemEvents(WRITE, 1).slice(1, 2), 'output_index', 'item_id'),
      ],
    ],
    ['a part of no call', without(itemEvents(READ, 0).slice(1, 2), 'output_index', 'item_id')],
    [
      'the end of one of two calls',
      [
        ...without(itemEvents(READ, 0).slice(0, 1), 'output_index'),
        ...without(itemEvents(WRITE, 1).slice(0, 1), 'output_index'),
        { type: 'response.output_item.done', item: { ...WRITE, id: 'fc_other' } },
      ],
    ],
  ])('end the answer where nobody can tell which they are: %s', (_what, events) => {
    const source = numbered([...begun(), ...events]);
    expect(drive(source)).toMatchObject({ fault: 'an item at no place', text: expect.not.stringContaining('/b') as unknown });
    expect(drive(source, { passesUnknown: true, nameVerdict: () => 'allow' }).text).toContain('"name":"read"');
  });
});

describe('unknown events of a held item', () => {
  const events = itemEvents(READ, 0);
  const unknown = { type: 'response.function_call.thought', output_index: 0, command: '/a' };
  const source = numbered([...begun(), events[0] as WireEvent, unknown, ...events.slice(1), completed([READ])]);

  it.each<[string, NameVerdict]>([
    ['held', 'hold'],
    ['live', 'allow'],
  ])('are left out, since nobody decided what they say (%s)', (_what, mode) => {
    const { text } = drive(source, { nameVerdict: () => mode });
    expect(accumulateResponse(text).items).toEqual([READ]);
    expect(text).not.toContain('response.function_call.thought');
  });
});

describe('a call without a name, an id or arguments', () => {
  it.each<[string, Item, object]>([
    ['no id', call('read', '{}', { call_id: undefined }), { id: '', problem: undefined }],
    ['no name', call('', '{}'), { problem: 'invalid_json' }],
    ['no arguments', call('read', ''), { args: '{}', problem: undefined }],
    ['broken arguments', call('read', '{"a":'), { problem: 'invalid_json' }],
    ['a key twice', call('read', '{"a":1,"a":2}'), { problem: 'duplicate_key' }],
    ['a name of many', call('multi_tool_use.parallel', '{}'), { problem: 'unclear' }],
  ])('%s is asked about as such', (_what, item, expected) => {
    const { asked, text } = drive(stream([item]), { verdict: () => NO });
    expect(asked).toMatchObject([expected]);
    expect(accumulateResponse(text).output).toEqual([noted()]);
  });

  it.each([
    ['', ''],
    ['é', ''],
    ['🏔', 'é\u2028'],
  ])('that is big goes as it came, with %j in it and %j in its id', (letter, id) => {
    const big = call('write', JSON.stringify({ a: `x"${letter}\u2028`.repeat(30_000) }), { id: `fc_${id}` });
    const source = numbered([...begun(), ...itemEvents(big, 0, 500), completed([big])]);
    for (const answers of ['at once', 'after the end'] as const) {
      const { text, asked } = drive(source, { answers });
      const made = accumulateResponse(text);
      expect([made.items, made.output, asked.length]).toEqual([[big], [big], 1]);
      expect(text.match(/event: response.function_call_arguments.done\ndata: .*"arguments":".+"\}\n\n/g)).toHaveLength(1);
      expect(text).not.toContain('\u2028');
    }
    const other = itemEvents(big, 0, 500).map((event) =>
      event.type.endsWith('arguments.done') ? { ...event, arguments: `${String(event['arguments']).slice(0, -3)}y"}` } : event,
    );
    expect(drive(numbered([...begun(), ...other])).asked).toMatchObject([{ problem: 'invalid_json' }]);
    const later = { ...big, arguments: String(big['arguments']).replace('x', 'y') };
    const changed = drive(numbered([...begun(), ...itemEvents(big, 0, 500), completed([later])])).text;
    expect(accumulateResponse(changed).output).toEqual([big]);
  });

  describe('whose arguments are known from their pieces', () => {
    const args = JSON.stringify({ a: 'x"é'.repeat(200_000) });
    const big = call('write', args);
    const pieces = itemEvents(big, 0, 5000);
    const driving = { maxHeld: 1 << 24 };

    it.each(['hold', 'allow'] as const)('is at all of its places as it came, by name %s', (verdict) => {
      for (const answers of ['at once', 'after the end'] as const) {
        const source = numbered([...begun(), ...pieces, ...itemEvents(message('So.'), 1), completed([big, message('So.')])]);
        const { text, asked } = drive(source, { ...driving, answers, nameVerdict: () => verdict });
        const made = accumulateResponse(text);
        expect(
          asked.map((each) => [each.args === args, each.inHistory?.().includes(JSON.stringify(args)), each.problem]),
        ).toEqual([[true, true, undefined]]);
        expect(made.items).toEqual([big, message('So.')]);
        expect(made.output).toEqual(made.items);
      }
    });

    it('is at none of them if it is denied', () => {
      for (const answers of ['at once', 'after the end'] as const) {
        const { text } = drive(numbered([...begun(), ...pieces, completed([big])]), { ...driving, answers, verdict: () => NO });
        expect(accumulateResponse(text).output).toEqual([noted()]);
        expect(text.length).toBeLessThan(5000);
      }
    });

    it('is asked about again where the answer has it once more', () => {
      const other = { ...big, call_id: 'call_other', id: 'fc_other' };
      const { text, asked } = drive(numbered([...begun(), ...pieces, completed([big, other])]), driving);
      expect(asked.map((each) => [each.id, each.args === args])).toEqual([
        [big['call_id'], true],
        ['call_other', true],
      ]);
      expect(accumulateResponse(text).output).toEqual([big, other]);
      const denied = drive(numbered([...begun(), ...pieces, completed([big, other])]), {
        ...driving,
        verdict: ({ id }) => (id === 'call_other' ? NO : { isAllowed: true }),
      });
      expect(accumulateResponse(denied.text).output).toEqual([big, noted()]);
    });

    it('is told from another one with the same arguments', () => {
      const other = { ...big, call_id: 'call_other', id: 'fc_other', name: 'read' };
      const source = numbered([...begun(), ...pieces, ...itemEvents(other, 1, 5000), completed([big, other])]);
      expect(accumulateResponse(drive(source, driving).text).output).toEqual([big, other]);
      for (const answers of ['at once', 'after the end'] as const) {
        expect(accumulateResponse(drive(source, { ...driving, answers }).text).items).toEqual([big, other]);
        const { text } = drive(source, { ...driving, answers, verdict: denying('write') });
        expect(accumulateResponse(text).output).toEqual([noted(), other]);
        // Its arguments are the known text of the denied call.
        expect(text).not.toContain('n-o-n-c-e');
      }
    });

    it('cannot be named by them', () => {
      const { asked } = drive(
        numbered([...begun(), ...pieces.slice(0, -1), { ...(pieces.at(-1) as WireEvent), item: { ...big, name: args } }]),
        driving,
      );
      expect(asked).toMatchObject([{ problem: 'unclear' }]);
    });

    it('is as the piece says that comes after all of them', () => {
      const [last = begun()[0] as WireEvent] = pieces.slice(-1);
      const more = { ...(pieces[1] as WireEvent), delta: '!' };
      const { asked } = drive(numbered([...begun(), ...pieces.slice(0, -1), more, last]), driving);
      expect(asked).toMatchObject([{ problem: 'invalid_json' }]);
    });
  });

  it('that is longer than may be held does not go', () => {
    const long = call('read', JSON.stringify({ a: 'x'.repeat(5000) }));
    const { asked, text } = drive(stream([long]), { maxHeld: 4000 });
    expect(asked).toMatchObject([{ problem: 'too_long' }]);
    expect(accumulateResponse(text).items).toEqual([noted('[clawai] The call of "read" was left out.')]);
  });
});

describe('an end that is none', () => {
  it('cut anywhere gives nothing of a call that is not whole, and tells of it', () => {
    const frames = numberedFrames([...begun(), ...itemEvents(message('So.'), 0), ...itemEvents(READ, 1), completed([READ])]);
    const first = 2 + itemEvents(message('So.'), 0).length;
    for (let count = first + 1; count < frames.length - 1; count++) {
      const { text, asked } = drive(frames.slice(0, count));
      expect([text, asked]).toMatchObject([frames.slice(0, first).join(''), [{ problem: 'incomplete', name: 'read' }]]);
    }
  });

  it('has a note in place of a call that is open at the end of the answer', () => {
    const open = itemEvents(READ, 0).slice(0, 3);
    const end = { ...completed([{ ...READ, arguments: '{"pa', status: 'incomplete' }]), type: 'response.incomplete' };
    const { text, asked } = drive(numbered([...begun(), ...open, end]), { verdict: () => NO });
    expect(asked).toMatchObject([{ problem: 'incomplete' }]);
    expect(accumulateResponse(text).output).toEqual([noted()]);
  });

  it('is that of upstream where it fails, without what is held', () => {
    const error = frame({ type: 'error', message: 'overloaded', code: 'server_error' });
    const { text, fault } = drive(numbered([...begun(), ...itemEvents(READ, 0).slice(0, 3)]) + error + stream([READ]));
    expect([text, fault]).toEqual([numbered(begun()) + error, undefined]);
  });

  it('nothing passes after it', () => {
    const source = stream([message('So.')]);
    expect(drive(`${source}data: [DONE]\n\n${stream([READ])}`).text).toBe(source);
  });

  it('of what streams on live and must not run is an error', () => {
    const { text, fault } = drive(stream([READ]), { nameVerdict: () => 'allow', verdict: () => NO });
    expect(fault).toContain('must not be run');
    expect(text).not.toContain('output_item.done');
  });
});
