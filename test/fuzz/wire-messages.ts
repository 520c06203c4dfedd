import fc from 'fast-check';
import { type Fault, FAULTS } from './flaky-sink.ts';
import { damaged, literal, type Members, object } from './wire-text.ts';

/** Lines that clients and servers may send: valid, oddly spelt, and damaged ones. */

const ID = fc.oneof(
  { weight: 8, arbitrary: fc.constantFrom('1', '2', '3', '"1"', '"a"') },
  { weight: 2, arbitrary: fc.constantFrom('0', '-1', '1.0', '1e0', '9007199254740993', '9007199254740992', '"\\u0061"', '""') },
  { weight: 1, arbitrary: fc.constantFrom('null', 'true', '{}', '[1]', '"\\x"', '01', '1e999', '"\ufffd"') },
);
const json = (value: unknown): fc.Arbitrary<string> => fc.constant(JSON.stringify(value));
const oneOf = (...values: readonly string[]): fc.Arbitrary<string> => fc.constantFrom(...values).chain(literal);

const NAME = oneOf('open', 'secret');
const URI = oneOf('file:///open/a', 'file:///secret/a', 'file:///open/../secret/a');
const VALUE = oneOf('x', '/open/a', '/secret/a');
const ARGUMENTS = fc.oneof(
  { weight: 4, arbitrary: object([['path', VALUE]]) },
  {
    weight: 2,
    arbitrary: object([
      ['path', VALUE],
      ['more', object([['path', VALUE]])],
    ]),
  },
  { weight: 1, arbitrary: fc.constantFrom('{}', 'null', '[]', '"{}"', '[["/secret/a"]]', '9007199254740993') },
);
const META = json({ 'io.modelcontextprotocol/protocolVersion': '2026-07-28' });

function message(method: fc.Arbitrary<string>, params: fc.Arbitrary<string> | undefined, isRequest = true): fc.Arbitrary<string> {
  const members: [string, fc.Arbitrary<string>][] = [
    ['jsonrpc', json('2.0')],
    ['method', method],
  ];
  if (params !== undefined) members.push(['params', params]);
  if (isRequest) members.push(['id', ID]);
  return object(members);
}

function answer(member: 'result' | 'error', value: fc.Arbitrary<string>): fc.Arbitrary<string> {
  return object([
    ['jsonrpc', json('2.0')],
    ['id', ID],
    [member, value],
  ]);
}

/** Clients differ in which of the two they take; sloppy peers write one of them as null. */
const TORN_ANSWER = object([
  ['id', ID],
  ['result', fc.constantFrom('{}', 'null')],
  ['error', fc.constantFrom('{"code":-32000,"message":"x"}', 'null')],
]);

const named = (...members: Members): fc.Arbitrary<string> => object(members);
const CANCEL = message(literal('notifications/cancelled'), object([['requestId', ID]]), false);
const GARBAGE = fc.constantFrom(
  '',
  ' ',
  '\r',
  'prose',
  '[]',
  '{}',
  '[[{}]]',
  '{"id":1}',
  '{"jsonrpc":"2.0","id":1,"method":"ping"',
);

const FROM_CLIENT = fc.oneof(
  { weight: 10, arbitrary: message(literal('tools/call'), named(['name', NAME], ['arguments', ARGUMENTS])) },
  { weight: 2, arbitrary: message(literal('tools/call'), named(['name', NAME], ['_meta', META])) },
  { weight: 3, arbitrary: message(literal('resources/read'), named(['uri', URI])) },
  { weight: 3, arbitrary: message(literal('prompts/get'), named(['name', NAME], ['arguments', ARGUMENTS])) },
  { weight: 1, arbitrary: message(literal('resources/subscribe'), named(['uri', URI])) },
  { weight: 1, arbitrary: message(literal('tools/call'), fc.constantFrom('[]', 'null', '"x"', '{}'), true) },
  { weight: 1, arbitrary: message(literal('tools/call'), named(['name', NAME]), false) },
  { weight: 3, arbitrary: message(oneOf('ping', 'tools/list', 'tasks/get', 'own/method', 'initialize'), undefined) },
  { weight: 3, arbitrary: CANCEL },
  { weight: 2, arbitrary: answer('result', json({ roots: [] })) },
  { weight: 1, arbitrary: answer('error', json({ code: -1, message: 'no' })) },
  { weight: 1, arbitrary: TORN_ANSWER },
  { weight: 1, arbitrary: GARBAGE },
);

const ASKS = fc.constantFrom('sampling/createMessage', 'elicitation/create', 'roots/list', 'ping').chain(literal);
const INPUT_REQUESTS = object([['q', named(['method', ASKS], ['params', json({})])]]);

const FROM_SERVER = fc.oneof(
  { weight: 10, arbitrary: answer('result', json({ content: [] })) },
  { weight: 2, arbitrary: answer('error', json({ code: -32000, message: 'x' })) },
  { weight: 2, arbitrary: answer('result', object([['protocolVersion', oneOf('2025-03-26', '2025-11-25')]])) },
  { weight: 5, arbitrary: answer('result', named(['resultType', json('input_required')], ['inputRequests', INPUT_REQUESTS])) },
  { weight: 4, arbitrary: message(ASKS, json({ message: 'm' })) },
  { weight: 1, arbitrary: TORN_ANSWER },
  { weight: 1, arbitrary: message(literal('notifications/tasks'), named(['inputRequests', INPUT_REQUESTS]), false) },
  { weight: 1, arbitrary: CANCEL },
  { weight: 1, arbitrary: GARBAGE },
);

function batched(source: fc.Arbitrary<string>): fc.Arbitrary<string> {
  const batch = fc.array(source, { maxLength: 3 }).map((texts) => `[${texts.join(',')}]`);
  return fc.oneof({ weight: 8, arbitrary: source }, { weight: 1, arbitrary: batch });
}

/** A handshake that agrees on the revision with batches, and one on another. */
function handshake(revision: string): readonly WireStep[] {
  return [
    { from: 'client', line: Buffer.from('{"jsonrpc":"2.0","id":"init","method":"initialize","params":{}}') },
    { from: 'server', line: Buffer.from(`{"jsonrpc":"2.0","id":"init","result":{"protocolVersion":"${revision}"}}`) },
  ];
}

export type WireStep =
  | { readonly from: 'client' | 'server'; readonly line: Buffer; readonly isOversized?: boolean }
  | { readonly from: 'person'; readonly answer: 'granted' | 'refused' };

const POLICIES: readonly string[] = [
  '',
  '[defaults]\naction = "allow"',
  '[[rule]]\naction = "allow"\ntool = "open"\n[[rule]]\naction = "allow"\nresource = "file:///open/**"\n[[rule]]\naction = "allow"\nmethod = "roots/list"',
  '[defaults]\naction = "allow"\n[[rule]]\naction = "deny"\ntool = "secret"\n[[rule]]\naction = "deny"\nprompt = "secret"\n[[rule]]\naction = "deny"\nresource = "file:///secret/**"',
  '[defaults]\naction = "allow"\nunknown_methods = "deny"\n[[rule]]\naction = "deny"\ntool = "**"\nargs.path = "/secret/**"\n[[rule]]\naction = "deny"\nmethod = "sampling/createMessage"',
  '[defaults]\naction = "allow"\n[[rule]]\naction = "deny"\ntool = "**"\nargs."**" = "/secret/**"\n[[rule]]\naction = "prompt"\nmethod = "elicitation/create"',
  '[defaults]\naction = "allow"\n[[rule]]\naction = "prompt"\ntool = "secret"\n[[rule]]\naction = "prompt"\nprompt = "open"\n[[rule]]\naction = "deny"\nmethod = "roots/list"',
];

const STEP: fc.Arbitrary<WireStep> = fc.oneof(
  { weight: 10, arbitrary: damaged(batched(FROM_CLIENT)).map((line) => ({ from: 'client' as const, line })) },
  { weight: 8, arbitrary: damaged(batched(FROM_SERVER)).map((line) => ({ from: 'server' as const, line })) },
  { weight: 1, arbitrary: damaged(FROM_CLIENT).map((line) => ({ from: 'client' as const, line, isOversized: true })) },
  { weight: 1, arbitrary: damaged(FROM_SERVER).map((line) => ({ from: 'server' as const, line, isOversized: true })) },
  {
    weight: 2,
    arbitrary: fc
      .constantFrom('granted' as const, 'refused' as const)
      .map((given) => ({ from: 'person' as const, answer: given })),
  },
);

/** A request that passes under most policies, and what may come after it: answers that ask for input, twice, after a cancellation. */
const EXCHANGE: fc.Arbitrary<WireStep[]> = fc.constantFrom('1', '2', '"a"').chain((id) => {
  const own = fc.constant(id);
  const call = object([
    ['jsonrpc', json('2.0')],
    ['id', own],
    ['method', json('tools/call')],
    ['params', named(['name', NAME])],
  ]);
  const other = object([
    ['jsonrpc', json('2.0')],
    ['id', own],
    ['method', fc.constantFrom('"tasks/get"', '"ping"')],
  ]);
  const results = fc.oneof(json({}), named(['inputRequests', INPUT_REQUESTS]));
  const reply = object([
    ['jsonrpc', json('2.0')],
    ['id', own],
    ['result', results],
  ]);
  const ask = object([
    ['jsonrpc', json('2.0')],
    ['id', own],
    ['method', fc.constantFrom('"roots/list"', '"ping"', '"elicitation/create"')],
  ]);
  const cancel = object([
    ['jsonrpc', json('2.0')],
    ['method', json('notifications/cancelled')],
    ['params', object([['requestId', own]])],
  ]);
  const from = (side: 'client' | 'server', source: fc.Arbitrary<string>): fc.Arbitrary<WireStep> =>
    source.map((text) => ({ from: side, line: Buffer.from(text.replaceAll('\n', '')) }));
  const next = fc.oneof(
    { weight: 4, arbitrary: from('server', reply) },
    { weight: 1, arbitrary: from('client', cancel) },
    { weight: 1, arbitrary: from('server', ask) },
    { weight: 1, arbitrary: from('client', reply) },
    { weight: 1, arbitrary: from('client', other) },
  );
  return fc
    .tuple(from('client', fc.oneof(call, other)), fc.array(next, { maxLength: 4 }))
    .map(([first, rest]) => [first, ...rest]);
});

/** A conversation under a policy. */
export interface Conversation {
  readonly policy: string;
  readonly faults: readonly Fault[];
  readonly steps: readonly WireStep[];
}

export const CONVERSATION: fc.Arbitrary<Conversation> = fc
  .record({
    policy: fc.constantFrom(...POLICIES),
    faults: FAULTS,
    start: fc.oneof(
      { weight: 2, arbitrary: fc.constant([]) },
      { weight: 1, arbitrary: fc.constantFrom('2025-03-26', '2025-11-25').map(handshake) },
    ),
    rest: fc.array(fc.oneof({ weight: 4, arbitrary: STEP.map((step) => [step]) }, { weight: 1, arbitrary: EXCHANGE }), {
      maxLength: 20,
      size: 'max',
    }),
  })
  .map(({ policy, faults, start, rest }) => ({ policy, faults, steps: [...start, ...rest.flat()] }));

/** A conversation as text, so that what was found can be read and repeated. */
export function show({ policy, faults, steps }: Conversation): string {
  const lines = steps.map((step) => {
    if (step.from === 'person') return `A> ${step.answer}`;
    const text = [...step.line.toString('latin1')].map((char) =>
      /[\x20-\x7e]/.test(char) ? char : `\\x${char.charCodeAt(0).toString(16).padStart(2, '0')}`,
    );
    return `${step.from === 'client' ? 'C' : 'S'}> ${text.join('')}${step.isOversized === true ? '   (oversized)' : ''}`;
  });
  return [policy, `store: ${faults.map((fault) => fault ?? 'ok').join(' ')}`, ...lines].join('\n');
}
