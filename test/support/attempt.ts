import { existsSync } from 'node:fs';
import { afterEach, beforeEach } from 'vitest';
import type { Ended } from './running.ts';
import { Sandbox, support } from './sandbox.ts';

/** What came of messages that were sent through the real binary to a server that writes down what it gets. */
export interface Attempt {
  /** Ids of the messages that reached the server, in order; the method where there is none. */
  readonly reached: readonly unknown[];
  readonly ended: Ended;
}

/** A sandbox for each test of a file. */
export function useSandbox(): { readonly current: Sandbox } {
  const holder = { current: undefined as unknown as Sandbox };
  beforeEach(() => {
    holder.current = new Sandbox();
  });
  afterEach(() => holder.current.remove());
  return holder;
}

/** Sends messages (values, or lines as they are) under a policy, closes the input and waits for the end. */
export async function attempt(sandbox: Sandbox, policy: string, messages: readonly unknown[]): Promise<Attempt> {
  const file = sandbox.write('policy.toml', policy);
  const server = [process.execPath, support('recording-server.mjs'), sandbox.path('record')];
  const running = sandbox.clawai('proxy', '--policy', file, '--', ...server);
  for (const message of messages) running.send(`${typeof message === 'string' ? message : JSON.stringify(message)}\n`);
  const ended = await running.close();
  const record = existsSync(sandbox.path('record')) ? sandbox.read('record').toString() : '';
  const lines = record.split('\n').filter((line) => line !== '');
  const reached = lines.map((line) => {
    const { id, method } = JSON.parse(line) as { id?: unknown; method?: unknown };
    return id ?? method;
  });
  return { reached, ended };
}

/** A `tools/call` of the tool `read_file`. */
export function readFile(args: unknown, id: unknown): unknown {
  return { jsonrpc: '2.0', id, method: 'tools/call', params: { name: 'read_file', arguments: args } };
}

export function readResource(uri: string, id: unknown): unknown {
  return { jsonrpc: '2.0', id, method: 'resources/read', params: { uri } };
}

/** Everything but calls with these arguments. */
export function denying(lines: string): string {
  return `[defaults]\naction = "allow"\n\n[[rule]]\naction = "deny"\ntool = "**"\n${lines}\n`;
}

/** Nothing but calls with these arguments. */
export function allowing(lines: string): string {
  return `[[rule]]\naction = "allow"\ntool = "**"\n${lines}\n`;
}
