import { describe, expect, it } from 'vitest';
import { KnownDefinitions } from '../../../../src/cli/policy/replay/known-definitions.ts';
import { readEvent } from '../../../../src/cli/policy/replay/recorded-call.ts';
import { Replay } from '../../../../src/cli/policy/replay/replay.ts';
import { compilePolicy } from '../../../../src/core/match/compile.ts';
import { POSIX, policyFrom } from '../../../support/policy.ts';
import { type Body, recordedCall } from '../../../support/recorded-store.ts';

const OPEN = '[defaults]\naction = "allow"\n';
const CLOSED = '[defaults]\naction = "deny"\n';

function rule(lines: string, action = 'deny', id = 'it'): string {
  return `[[rule]]\nid = "${id}"\naction = "${action}"\n${lines}\n`;
}

/** What a replay of these events comes to, with an empty registry. */
function replay(next: string, bodies: readonly Body[], against?: string) {
  const compiled = [next, against].map((text) => (text === undefined ? undefined : compilePolicy(policyFrom(text))));
  const replayed = new Replay({
    next: compiled[0] ?? compilePolicy(policyFrom('')),
    against: compiled[1],
    others: [],
    paths: POSIX,
    definitions: new KnownDefinitions({ definitions: [], servers: [] }),
    isSelected: () => true,
  });
  for (const [at, body] of bodies.entries()) replayed.add(readEvent(JSON.stringify(body)), () => `${at + 1}`);
  const { calls, same, flips, doubts } = replayed.tally;
  return {
    calls,
    same,
    flips,
    doubts,
    kinds: replayed.tally.kinds(),
    groups: replayed.tally.groups(),
    why: replayed.tally.doubtGroups().map(({ why }) => why),
    unreadable: replayed.shownUnreadable,
  };
}

it('what the doctor has called is left out', () => {
  expect(replay(CLOSED, [recordedCall({ server_id: 'clawai-doctor' }), recordedCall()]).calls).toBe(1);
});

it('no rule decides about an answer of the client', () => {
  const answer = recordedCall({
    type: 'mcp_request_decided',
    method: 'elicitation/create (answer)',
    tool_name: undefined,
    input: { action: 'accept', content: { name: 'Ada' } },
    skipped: [],
  });
  const closed = `[defaults]\naction = "deny"\nunknown_methods = "deny"\n${rule('method = "elicitation/**"')}`;
  expect(replay(closed, [answer])).toMatchObject({ calls: 1, same: 1, flips: 0 });
});

describe('what the record does not have', () => {
  it.each<[string, Body, string, object]>([
    [
      'a redacted value that a rule looks at',
      { input: { a: '[redacted:password]' }, skipped: [] },
      OPEN + rule('tool = "*"\nargs.a = "x"'),
      { doubts: 1, why: ['args'] },
    ],
    [
      'a redacted value that no rule looks at',
      { input: { a: '[redacted:password]' }, skipped: [] },
      OPEN + rule('tool = "*"\nargs.b = "x"'),
      { doubts: 0, same: 1 },
    ],
    [
      'a value that was cut',
      { input: { a: 'x…(9 more)' }, skipped: [{ what: 'input', why: 'too_long' }] },
      OPEN + rule('tool = "*"\nargs.a = "x"'),
      { doubts: 1 },
    ],
    [
      'a URI with a secret in it',
      {
        type: 'mcp_resource_read',
        method: 'resources/read',
        tool_name: undefined,
        resource_uri: 'db://me:[redacted:password]@x',
      },
      OPEN + rule('resource = "db://**"'),
      { doubts: 1 },
    ],
    ['a name with a secret in it', { tool_name: 'x[redacted:password]' }, CLOSED, { doubts: 1, why: ['name'] }],
    [
      'a fingerprint',
      {},
      OPEN + rule(`tool = "*"\nfingerprint = "sha256:${'0'.repeat(64)}"`),
      { doubts: 1, why: ['fingerprint'] },
    ],
    [
      'a kind of tool',
      { tool_name: 'read_file' },
      OPEN + rule('tool = "*"\ncategory = "send"'),
      { doubts: 1, why: ['category'] },
    ],
    [
      'nothing, where the kind is recorded',
      { tool_name: 'read_file', category: 'read' },
      OPEN + rule('tool = "*"\ncategory = "send"'),
      { same: 1 },
    ],
    [
      'nothing, where the policy says the kind',
      { tool_name: 'read_file' },
      `${OPEN}[classify]\nsend = ["read_file"]\n${rule('tool = "*"\ncategory = "send"')}`,
      { flips: 1 },
    ],
    [
      'whether a person approved what was found',
      { detections: 'exfiltration.to_address' },
      `${OPEN}[detection]\non_definition = "deny"\n`,
      { doubts: 1, why: ['detection'] },
    ],
    [
      'what a failure would have been',
      { decision: 'deny', action: 'block', reason: 'internal_error', rule: undefined },
      OPEN,
      { doubts: 1, why: ['failure'] },
    ],
    ['whether it was listed', {}, `${OPEN.replace('\n[', '')}unknown_server = "deny"\n`, { doubts: 1, why: ['definition'] }],
    [
      "whether the server of a model's call is known",
      { type: 'mcp_tool_call_intercepted' },
      OPEN,
      { doubts: 1, why: ['server'] },
    ],
    ['nothing, where it says so', { type: 'mcp_tool_call_intercepted', tool_hash: 'sha256:0' }, OPEN, { same: 1 }],
    ["nothing, of an agent's own tool", { type: 'mcp_tool_call_intercepted', server_id: 'native' }, OPEN, { same: 1 }],
    [
      'nothing, where no policy has a part in it',
      { decision: 'deny', action: 'block', reason: 'self', rule: undefined },
      OPEN,
      { same: 1 },
    ],
    ['what a project has decided stands', { decision: 'deny', action: 'block', rule: 'project: no-rm' }, OPEN, { same: 1 }],
    ['a number is what was sent', { input: { a: 1.5 } }, OPEN + rule('tool = "*"\nargs.a = { gt = 1 }'), { flips: 1 }],
  ])('%s', (_, fields, policy, expected) => {
    expect(replay(policy, [recordedCall(fields)])).toMatchObject({ calls: 1, ...expected });
  });

  it('events of older versions are read as far as they go', () => {
    const {
      decision: _,
      id: __,
      method: ___,
      ...older
    } = recordedCall({ inspectors: undefined, rule: undefined, reason: undefined });
    const events = [
      older,
      { ...older, action: 'block' },
      { ...older, action: 'block', reason: 'approval_refused' },
      { ...older, mode: 'observe' },
      { ...older, action: undefined },
    ];
    expect(replay(OPEN, events)).toMatchObject({
      calls: 3,
      same: 1,
      kinds: [
        { from: 'deny', to: 'allow', count: 1 },
        { from: 'prompt', to: 'allow', count: 1 },
      ],
      unreadable: [
        { where: '4', problem: 'it does not say what was decided' },
        { where: '5', problem: 'it does not say what was decided' },
      ],
    });
  });
});

describe('flows', () => {
  const READ = recordedCall({ id: 'r', server_id: 'db', tool_name: 'query_database', category: 'read' });
  const SEND = recordedCall({
    id: 's',
    server_id: 'mail',
    tool_name: 'send_email',
    category: 'send',
    timestamp: '2026-03-01T12:00:05.000Z',
  });
  const FLOW = `${OPEN}[flow]\naction = "deny"\n`;

  it.each<[string, string, readonly Body[], object]>([
    ['are found in a session', FLOW, [READ, SEND], { flips: 1, groups: [{ to: { by: 'flow:read_then_send' } }] }],
    ['are not found between sessions', FLOW, [READ, { ...SEND, session_id: 'other' }], { flips: 0 }],
    ['are not found after their window', FLOW, [READ, { ...SEND, timestamp: '2026-03-01T12:00:31.000Z' }], { flips: 0 }],
    [
      'do not come from what would be denied',
      FLOW + rule('tool = "query_*"'),
      [READ, SEND],
      { flips: 1, groups: [{ to: { by: 'it' } }] },
    ],
    [
      'do not come from what a person has refused',
      FLOW + rule('tool = "query_*"', 'prompt'),
      [{ ...READ, decision: 'prompt', approval: 'refused', action: 'block' }, SEND],
      { flips: 0 },
    ],
    ['come from what a person was not asked about then', FLOW + rule('tool = "query_*"', 'prompt'), [READ, SEND], { flips: 2 }],
    [
      'are not found in what a model has called, which is called again',
      FLOW,
      [READ, { ...SEND, type: 'mcp_tool_call_intercepted' }],
      { flips: 0 },
    ],
    [
      'are found in one turn',
      FLOW,
      [
        { ...READ, turn_id: 't' },
        { ...SEND, turn_id: 't', tool_name: 'x', category: 'write' },
      ],
      { flips: 1 },
    ],
    [
      'who had a name first is on record',
      OPEN,
      [{ ...SEND, flow: 'shadow_tool' }],
      { flips: 1, groups: [{ to: { by: 'flow:shadow_tool' } }] },
    ],
    [
      'a server that was not called is known of from the record',
      FLOW.replace('"deny"', '"deny"\nburst = { max_calls = 1 }'),
      [{ ...SEND, flow: 'burst' }, SEND],
      { flips: 1 },
    ],
  ])('%s', (_, policy, calls, expected) => {
    expect(replay(policy, calls)).toMatchObject(expected);
  });

  it('by values are those on record, where the policy that decided is known', () => {
    const by = `${OPEN}[flow]\nread_then_send = { action = "deny", evidence = "value" }\n`;
    const { hash: policy_hash } = compilePolicy(policyFrom(by));
    const denied = {
      ...SEND,
      flow: 'read_then_send',
      decision: 'deny',
      reason: 'flow',
      rule: undefined,
      action: 'block',
      policy_hash,
    };
    const allowed = { ...SEND, reason: 'default', rule: undefined, policy_hash };
    expect(replay(by, [READ, denied, allowed])).toMatchObject({ same: 3, doubts: 0 });
    expect(replay(`${by}# another\n`, [READ, denied], by)).toMatchObject({ same: 2, doubts: 0 });
  });

  describe('by values that no record has', () => {
    const by = `${OPEN}[flow]\nread_then_send = { action = "deny", evidence = "value" }\n`;
    const sent = { ...SEND, input: { body: '4532715390172284' } };

    it.each<[string, string, readonly Body[], object]>([
      ['can not be told, whatever was decided then', by, [READ, { ...sent, decision: 'deny' }], { flips: 0, why: ['value'] }],
      ['can not be told of an allowed call either', by, [READ, sent], { same: 1, why: ['value'] }],
      ['are none in a call without arguments', by, [READ, { ...SEND, input: {} }], { same: 2, doubts: 0 }],
      ['are none where no other server was called before', by, [sent], { same: 1, doubts: 0 }],
      ['are none after the window', by, [READ, { ...sent, timestamp: '2026-03-01T12:00:31.000Z' }], { same: 2, doubts: 0 }],
      ['make no difference to what is denied anyway', by + rule('tool = "send_*"'), [READ, sent], { flips: 1, doubts: 0 }],
      [
        'make no difference where the rule only tells of them',
        by.replace('"deny"', '"alert"').replace('[flow]', '[flow]\nburst = { action = "deny" }'),
        [READ, sent],
        { same: 2, doubts: 0 },
      ],
    ])('%s', (_, policy, calls, expected) => {
      expect(replay(policy, calls)).toMatchObject(expected);
    });
  });
});

describe('what the policy that decided says', () => {
  it('stands, whatever of the arguments is not on record', () => {
    const old = OPEN + rule('tool = "*"\nargs.a = "x"');
    const call = recordedCall({ input: { a: '[redacted:password]' }, skipped: [], rule: undefined, reason: 'default' });
    const decided = { ...call, policy_hash: compilePolicy(policyFrom(old)).hash };
    expect(replay(old, [call])).toMatchObject({ doubts: 1 });
    expect(replay(old, [decided])).toMatchObject({ same: 1, doubts: 0 });
  });

  it('is a doubt where it would decide otherwise now, as where paths were others', () => {
    const old = OPEN + rule('tool = "*"\nargs.a = "x"');
    const { hash: policy_hash } = compilePolicy(policyFrom(old));
    const call = recordedCall({ input: { a: 'y' }, skipped: [], rule: 'it', decision: 'deny', action: 'block', policy_hash });
    expect(replay(`${old}# another\n`, [call], old)).toMatchObject({ doubts: 1, why: ['other'] });
    expect(replay(old, [call])).toMatchObject({ same: 1 });
  });

  it('stands where it is the one that decides now, whatever of the calls before is on record', () => {
    const policy = `${OPEN}[rate_limits]\nenabled = true\ndefault_rpm = 1\ndefault_burst = 1\n`;
    const limited = { decision: 'deny', action: 'block', reason: 'rate_limit', rule: undefined, skipped: [] };
    const call = recordedCall({ ...limited, policy_hash: compilePolicy(policyFrom(policy)).hash });
    expect(replay(policy, [call, call])).toMatchObject({ same: 2, flips: 0, doubts: 0 });
    expect(replay(`${policy}# another\n`, [call, call])).toMatchObject({ same: 1, flips: 1 });
  });
});
