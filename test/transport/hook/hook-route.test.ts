import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterEach, describe, expect, it } from 'vitest';
import type { HookGate } from '../../../src/gate/hook/hook-gate.ts';
import { claudeCode } from '../../../src/protocol/hooks/claude-code.ts';
import { codex } from '../../../src/protocol/hooks/terminal-agents.ts';
import { HookRoute } from '../../../src/transport/hook/hook-route.ts';

const CALL = JSON.stringify({ hook_event_name: 'PreToolUse', tool_name: 'Bash', tool_input: { command: 'ls' } });

type Judge = HookGate['judge'];

const closing: (() => void)[] = [];
afterEach(() => {
  for (const close of closing.splice(0)) close();
});

interface Running {
  readonly url: string;
  readonly warnings: readonly string[];
  readonly finished: () => number;
}

async function run(judge: Judge, { patience = 600_000, limit = 1000 } = {}): Promise<Running> {
  const warnings: string[] = [];
  let finished = 0;
  const gate = {
    judge,
    finish: async () => {
      finished++;
    },
  } as unknown as HookGate;
  const client = { ...claudeCode, patience };
  const route = new HookRoute({ client, limit, gateFor: async () => gate, warn: (line) => warnings.push(line) });
  const server = createServer((request, response) => void route.handle(request, response));
  await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening));
  closing.push(() => {
    server.closeAllConnections();
    server.close();
  });
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/`, warnings, finished: () => finished };
}

async function ask(url: string, body: string | Uint8Array = CALL, more: RequestInit = {}): Promise<unknown> {
  const response = await fetch(url, { method: 'POST', body, ...more });
  expect(response.status).toBe(200);
  const text = await response.text();
  return text === '' ? 'no opinion' : JSON.parse(text);
}

const denial = (reason: unknown): unknown => ({
  hookSpecificOutput: { hookEventName: 'PreToolUse', permissionDecision: 'deny', permissionDecisionReason: reason },
});

describe('an answer', () => {
  it('is empty where nothing is against the call', async () => {
    const { url, finished } = await run(async () => undefined);
    expect(await ask(url)).toBe('no opinion');
    expect(finished()).toBe(1);
  });

  it("denies in the client's words, exactly", async () => {
    const { url } = await run(async () => 'clawai denied it: "x"');
    expect(await ask(url)).toEqual(denial('clawai denied it: "x"'));
  });

  it.each<[string, Parameters<typeof ask>[1], Judge]>([
    ['nothing was sent', '', async () => undefined],
    ['what was sent is cut off', CALL.slice(0, -1), async () => undefined],
    ['what was sent is no call', '{}', async () => undefined],
    ['what was sent is too long', CALL.padEnd(2000), async () => undefined],
    ['what was sent is no UTF-8', Buffer.from([0xff, ...Buffer.from(CALL)]), async () => undefined],
    ['the gate fails', CALL, async () => Promise.reject(new Error('a bug'))],
    [
      'the gate throws',
      CALL,
      () => {
        throw new Error('a bug');
      },
    ],
  ])('denies, with status 200, where %s', async (_where, body, judge) => {
    const { url, warnings } = await run(judge);
    expect(await ask(url, body)).toEqual(denial(expect.stringMatching(/^clawai denied this call, because/)));
    expect(warnings).toHaveLength(1);
  });

  it('denies what is asked by another method, or in an encoding that nobody knows', async () => {
    const { url } = await run(async () => undefined);
    const refused = denial(expect.stringContaining('could not decide'));
    expect(await ask(url, CALL, { method: 'PUT' })).toEqual(refused);
    expect(await ask(url, CALL, { headers: { 'content-encoding': 'made-up' } })).toEqual(refused);
  });

  it('denies before the client gives up, and takes its question back', async () => {
    let isWithdrawn = false;
    const { url } = await run(
      (_call, _client, withdrawn) => new Promise(() => withdrawn.addEventListener('abort', () => (isWithdrawn = true))),
      { patience: 10_050 },
    );
    expect(await ask(url)).toEqual(denial(expect.stringContaining('in time')));
    expect(isWithdrawn).toBe(true);
  });

  it('that nobody waits for takes its question back', async () => {
    const withdrawing = Promise.withResolvers<void>();
    const begun = Promise.withResolvers<void>();
    const { url } = await run((_call, _client, withdrawn) => {
      withdrawn.addEventListener('abort', () => withdrawing.resolve());
      begun.resolve();
      return withdrawing.promise.then(() => 'withdrawn');
    });
    const leaving = new AbortController();
    const asked = fetch(url, { method: 'POST', body: CALL, signal: leaving.signal }).catch(() => {});
    await begun.promise;
    leaving.abort();
    expect(await Promise.all([asked, withdrawing.promise])).toHaveLength(2);
  });
});

it('there is none for a client that no words deny: an empty answer would be no opinion', () => {
  expect(() => new HookRoute({ client: codex, limit: 1, gateFor: () => Promise.reject(new Error()), warn: () => {} })).toThrow(
    'codex',
  );
});
