import { Client as ClientV2 } from '@modelcontextprotocol/client';
import { StdioClientTransport as TransportV2 } from '@modelcontextprotocol/client/stdio';
import { Client as ClientV1 } from '@modelcontextprotocol/sdk/client/index.js';
import { StdioClientTransport as TransportV1 } from '@modelcontextprotocol/sdk/client/stdio.js';

/** How a client gets to a server. */
export interface Target {
  readonly command: readonly [string, ...string[]];
  readonly env: Readonly<Record<string, string>>;
  /** What the client calls itself. */
  readonly name?: string;
  /** Where it starts the server. */
  readonly cwd?: string;
}

type Arguments = Readonly<Record<string, string>>;

/** What tests ask of a client, whichever it is. */
export interface Session {
  listTools(): Promise<unknown>;
  callTool(name: string, args: Arguments): Promise<unknown>;
  readResource(uri: string): Promise<unknown>;
  getPrompt(name: string, args: Arguments): Promise<unknown>;
  close(): Promise<void>;
}

const identity = ({ name = 'clawai-test' }: Target): { readonly name: string; readonly version: string } => ({
  name,
  version: '1.0.0',
});

/** For either SDK. */
function toServer({ command: [command, ...args], env, cwd }: Target) {
  return { command, args, env: { ...env }, stderr: 'ignore' as const, ...(cwd !== undefined && { cwd }) };
}

async function connectV1(target: Target): Promise<Session> {
  const client = new ClientV1(identity(target));
  await client.connect(new TransportV1(toServer(target)));
  return {
    listTools: () => client.listTools(),
    callTool: (name, args) => client.callTool({ name, arguments: args }),
    readResource: (uri) => client.readResource({ uri }),
    getPrompt: (name, args) => client.getPrompt({ name, arguments: args }),
    close: () => client.close(),
  };
}

function connectV2(mode: 'legacy' | { readonly pin: string }): (target: Target) => Promise<Session> {
  return async (target) => {
    const client = new ClientV2(identity(target), { versionNegotiation: { mode } });
    await client.connect(new TransportV2(toServer(target)));
    return {
      listTools: () => client.listTools(),
      callTool: (name, args) => client.callTool({ name, arguments: args }),
      readResource: (uri) => client.readResource({ uri }),
      getPrompt: (name, args) => client.getPrompt({ name, arguments: args }),
      close: () => client.close(),
    };
  };
}

/** Every client that tests drive, by what it is called in their names. */
export const CLIENTS = {
  'SDK 1': connectV1,
  'SDK 2, legacy era': connectV2('legacy'),
  'SDK 2, modern era': connectV2({ pin: '2026-07-28' }),
} as const satisfies Record<string, (target: Target) => Promise<Session>>;
