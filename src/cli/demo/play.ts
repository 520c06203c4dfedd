import { existsSync } from 'node:fs';
import { mkdir, writeFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio';
import { ClawaiError } from '../../errors.ts';
import { packageRoot } from '../../host/directories.ts';
import { Client } from '../../host/mcp-client.ts';
import { openStoreReader } from '../../store/reading/read-open.ts';
import { storeFile } from '../../store/private-file.ts';
import { StderrTail } from '../machine/stderr-tail.ts';

const SERVER_PACKAGE = '@modelcontextprotocol/server-filesystem';
const SERVER_VERSION = '2026.8.31';

/** Milliseconds that the server has for its first answer; npx has to fetch it first. */
const PATIENCE = 60_000;

/** Milliseconds that clawai and the server have to end: they are given 2 s before they are made to. */
const ENDING = 5000;

/** Events of the demo, in this order: one `start`, a `call` for each scene, one `audit`. */
export type DemoEvent = DemoStart | DemoCall | DemoAudit;

export interface DemoStart {
  readonly kind: 'start';
  /** npm's name of the server. */
  readonly server: string;
  /** True where npx fetches the server, which takes a while. */
  readonly isFetched: boolean;
  readonly policy: string;
}

export interface DemoCall {
  readonly kind: 'call';
  readonly title: string;
  readonly tool: string;
  readonly args: Readonly<Record<string, unknown>>;
  readonly expected: Outcome;
  readonly actual: Outcome;
  /** The text that the model reads. */
  readonly text: string;
  readonly ok: boolean;
}

export interface DemoAudit {
  readonly kind: 'audit';
  readonly events: readonly AuditEvent[];
}

/** The fields of an audit event that a person wants to see first; the others are there too. */
export interface AuditEvent {
  readonly timestamp: string;
  readonly server_id: string;
  readonly tool_name?: string;
  readonly action?: string;
  readonly rule?: string;
  readonly reason?: string;
}

/**
 * Plays the demo: a real client starts `clawai proxy` with the default policy in front of a real server, and calls it.
 * Everything is written below `folder`, which has to exist and to be empty. Throws a ClawaiError where the server cannot be started.
 */
export async function* playDemo(folder: string): AsyncGenerator<DemoEvent, void, undefined> {
  await mkdir(join(folder, 'project'));
  await mkdir(join(folder, '.ssh'));
  await writeFile(join(folder, 'project', 'notes.txt'), 'Ship the release on Friday.\n');
  await writeFile(join(folder, '.ssh', 'id_rsa'), 'not a real key, but the server does not know that\n');

  const installed = installedServer();
  const policy = join(packageRoot(), 'policies', 'default.toml');
  yield { kind: 'start', server: SERVER_PACKAGE, isFetched: installed === undefined, policy };

  const server =
    installed === undefined ? ['npx', '--yes', `${SERVER_PACKAGE}@${SERVER_VERSION}`] : [process.execPath, installed];
  const state = join(folder, 'state');
  const client = new Client({ name: 'clawai-demo', version: '1.0.0' });
  const transport = new StdioClientTransport({
    command: process.execPath,
    args: [join(packageRoot(), 'bin', 'clawai.mjs'), 'proxy', '--server', 'files', '--policy', policy, '--', ...server, folder],
    // All of it, since npx may need a proxy's address, a registry's, or a version manager's variables.
    env: {
      ...definedOnly(process.env),
      XDG_STATE_HOME: state,
      LOCALAPPDATA: state,
      XDG_CACHE_HOME: join(folder, 'cache'),
    },
    stderr: 'pipe',
  });
  const stderr = transport.stderr === null ? undefined : new StderrTail(transport.stderr);
  // The client's own closing does not wait where its connecting has failed, and clawai writes to the folder until its end.
  const close = async (): Promise<void> => {
    await client.close();
    await stderr?.ended(ENDING);
  };
  try {
    await client.connect(transport, { timeout: PATIENCE }).catch(async (error: unknown) => {
      await close();
      throw startError(error, { stderr: stderr?.lines ?? [], server });
    });
    for (const { title, tool, args: argsIn, expected } of SCENES) {
      const args = argsIn(folder);
      const result = await client.callTool({ name: tool, arguments: args });
      const text = textOf(result.content);
      const actual = result.isError === true ? 'denied' : 'allowed';
      const ok = actual === expected && isOurs(text) === (actual === 'denied');
      yield { kind: 'call', title, tool, args, expected, actual, text, ok };
    }
  } finally {
    await close();
  }
  yield { kind: 'audit', events: readEvents(storeFile(join(state, 'clawai'))) };
}

function readEvents(file: string): AuditEvent[] {
  const reader = openStoreReader(file);
  try {
    return Array.from(reader?.events({}) ?? [], ({ body }) => JSON.parse(body ?? 'null') as AuditEvent);
  } finally {
    reader?.close();
  }
}

/** The server's entry where our development packages are installed; elsewhere undefined. */
function installedServer(): string | undefined {
  try {
    const entry = createRequire(join(packageRoot(), 'package.json')).resolve(`${SERVER_PACKAGE}/dist/index.js`);
    return existsSync(entry) ? entry : undefined;
  } catch {
    return undefined; // that is how Node says that a package is not installed
  }
}

function startError(cause: unknown, { stderr, server }: { stderr: readonly string[]; server: readonly string[] }): ClawaiError {
  const why = cause instanceof Error ? cause.message : String(cause);
  const lines = [`the demo's server could not be started: ${why}`, ...stderr.map((line) => `  ${line}`)];
  return new ClawaiError(lines.join('\n'), {
    code: 'command_failed',
    hint: `this has to work first: ${server.join(' ')} FOLDER`,
    cause,
  });
}

function definedOnly(env: NodeJS.ProcessEnv): Record<string, string> {
  return Object.fromEntries(Object.entries(env).filter((entry): entry is [string, string] => entry[1] !== undefined));
}

function textOf(content: unknown): string {
  const first: unknown = Array.isArray(content) ? content[0] : undefined;
  return typeof first === 'object' && first !== null && 'text' in first && typeof first.text === 'string' ? first.text : '';
}

/** A denial of ours, not an error of the server's that would look like one. */
function isOurs(text: string): boolean {
  return text.startsWith('clawai denied');
}

type Outcome = 'allowed' | 'denied';

/** A call that the demo makes, and what has to come of it. */
interface Scene {
  readonly title: string;
  readonly tool: string;
  /** The call's arguments, for the demo's folder. */
  readonly args: (folder: string) => Record<string, unknown>;
  readonly expected: Outcome;
}

const SCENES: readonly Scene[] = [
  {
    title: 'The agent reads a file of the project',
    tool: 'read_text_file',
    args: (folder) => ({ path: join(folder, 'project', 'notes.txt') }),
    expected: 'allowed',
  },
  {
    title: 'The agent reads an SSH key, which this server would hand out',
    tool: 'read_text_file',
    args: (folder) => ({ path: join(folder, '.ssh', 'id_rsa') }),
    expected: 'denied',
  },
  {
    title: 'It tries again: another tool, a list of paths, a detour',
    tool: 'read_multiple_files',
    args: (folder) => ({ paths: [join(folder, 'project', 'notes.txt'), `${folder}/project/../.ssh/./id_rsa`] }),
    expected: 'denied',
  },
];
