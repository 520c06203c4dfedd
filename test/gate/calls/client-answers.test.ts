import { describe, expect, it } from 'vitest';
import { createTestGate, type TestGate } from '../../support/gate.ts';
import { createTestSink } from '../../support/sink.ts';

const KEY = `ghp_${'16C7e42F292c6912E7710c838347Ae178B4a'}`;

const policyWith = (mode: string): string => `[defaults]\naction = "allow"\n[dlp]\non_arguments = "${mode}"\n`;
const SECRET = { jsonrpc: '2.0', id: 5, result: { action: 'accept', content: { key: KEY } } };

async function asked(gate: TestGate, method = 'elicitation/create'): Promise<TestGate> {
  expect(await gate.server(JSON.stringify({ jsonrpc: '2.0', id: 5, method, params: {} }))).toBe('forward');
  return gate;
}

const denied = (code: number): object => ({ onward: [{ jsonrpc: '2.0', id: 5, error: { code } }], back: [] });

describe('an answer with a secret', () => {
  it('is denied once, and recorded; another answer to the same request goes nowhere', async () => {
    const gate = await asked(createTestGate(policyWith('deny')));
    expect(await gate.client(JSON.stringify(SECRET))).toMatchObject(denied(40300));
    expect(await gate.client(JSON.stringify(SECRET))).toBe('drop');
    expect(gate.records.map(({ call, reason }) => [call.method, reason]).at(-1)).toEqual(['elicitation/create (answer)', 'dlp']);
  });

  it('is denied to the server in the words of its method', async () => {
    const gate = await asked(createTestGate(policyWith('deny')), 'sampling/createMessage');
    expect(await gate.client(JSON.stringify(SECRET))).toMatchObject(denied(-1));
  });

  it('in an error without an id goes nowhere', async () => {
    const gate = createTestGate(policyWith('deny'));
    const error = (message: string): string => JSON.stringify({ jsonrpc: '2.0', error: { code: -32700, message } });
    expect(await gate.client(error('cannot read this'))).toBe('forward');
    expect(await gate.client(error(`cannot read ${KEY}`))).toBe('drop');
  });

  it('goes on if clawai only observes, or looks for no secrets', async () => {
    for (const gate of [
      createTestGate(policyWith('deny'), {}, true),
      createTestGate('[defaults]\naction = "allow"\n[dlp]\nenabled = false\non_arguments = "deny"\n'),
    ])
      expect(await (await asked(gate)).client(JSON.stringify(SECRET))).toBe('forward');
  });

  it('is asked about, and goes on with a yes', async () => {
    const asks: string[] = [];
    const approver = {
      ask: ({ method }: { readonly method: string }) =>
        Promise.resolve(asks.push(method) === 1 ? ('granted' as const) : ('refused' as const)),
    };
    const gate = await asked(createTestGate(policyWith('prompt'), { approver }));
    expect(await gate.client(JSON.stringify(SECRET))).toBe('forward');
    await asked(gate);
    expect(await gate.client(JSON.stringify(SECRET))).toMatchObject(denied(40300));
    expect(asks).toEqual(['elicitation/create (answer)', 'elicitation/create (answer)']);
  });

  it('becomes an error if that cannot be recorded', async () => {
    const { sink } = createTestSink({
      commit: () => {
        throw new Error('disk full');
      },
    });
    const gate = createTestGate(policyWith('alert'), { sink });
    await gate.server('{"jsonrpc":"2.0","id":5,"method":"x/ask"}');
    expect(await gate.client(JSON.stringify(SECRET))).toMatchObject(denied(-32603));
  });
});

it('an answer that readers read differently is refused, unless secrets only alert', async () => {
  const twice = `{"jsonrpc":"2.0","id":5,"result":{"action":"accept","content":{"a":"${KEY}","a":"x"}}}`;
  for (const mode of ['deny', 'redact', 'prompt'])
    expect(await (await asked(createTestGate(policyWith(mode)))).client(twice)).toMatchObject(denied(-32603));
  expect(await (await asked(createTestGate(policyWith('alert')))).client(twice)).toBe('forward');
});

it('no rule is about an answer', async () => {
  const rule =
    '[[rule]]\naction = "deny"\nmethod = "elicitation/**"\nargs.action = "accept"\n[[rule]]\naction = "deny"\nmethod = "elicitation/create (answer)"\n';
  const gate = await asked(createTestGate(`${policyWith('deny')}${rule}`));
  expect(await gate.client('{"jsonrpc":"2.0","id":5,"result":{"action":"accept","content":{"a":"b c d e f"}}}')).toBe('forward');
});
