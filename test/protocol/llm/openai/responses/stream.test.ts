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
      output: { pass() {}, own() {}, text() {}, ask() {}, fault() {} },
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
    ['an item at no place', [{ type: 'response.output_item.added', item: READ }], 'an item that cannot be read'],
    ['an item at an odd place', [{ type: 'response.output_item.added', output_index: -1, item: READ }], 'at no place'],
    ['an item of an unknown type', itemEvents({ type: 'robot_call', id: 'r' }, 0), '"robot_call"'],
    [
      'an unknown event with an item',
      [{ type: 'response.thing.made', output_index: 0, item: { type: 'x' } }],
      '"response.thing.made"',
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

describe('unknown events of a held item', () => {
  const events = itemEvents(READ, 0);
  const unknown = { type: 'response.function_call.thought', output_index: 0, command: '/a' };
  const source = numbered([...begun(), events[0] as WireEvent, unknown, ...events.slice(1), completed([READ])]);

  it('are held with it', () => {
    expect(drive(source).text).toContain('response.function_call.thought');
    expect(drive(source, { verdict: () => NO }).text).not.toContain('response.function_call.thought');
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
