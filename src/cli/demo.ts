import { existsSync } from 'node:fs';
import { mkdir, mkdtemp, readFile, realpath, rm, writeFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { styleText } from 'node:util';
import { Client } from '@modelcontextprotocol/client';
import { getDefaultEnvironment, StdioClientTransport } from '@modelcontextprotocol/client/stdio';
import { packageRoot } from '../host/package-root.ts';
import { defineCommand } from './command.ts';
import { EXIT } from '../errors.ts';

const SERVER_PACKAGE = '@modelcontextprotocol/server-filesystem';
const SERVER_VERSION = '2026.8.31';

/** A call that the demo makes, and what has to come of it. */
interface Scene {
  readonly title: string;
  readonly tool: string;
  readonly args: (folder: string) => Record<string, unknown>;
  readonly expected: 'allowed' | 'denied';
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

/** `clawai demo`: a real server behind `clawai proxy`, driven by a real client, all of it in a temporary folder. */
export const demoCommand = defineCommand({
  meta: {
    name: 'demo',
    description: 'Show a call that is allowed and calls that are denied, against a real MCP server.',
    notes: ['Everything happens in a temporary folder, which is removed at the end.'],
  },
  args: {
    json: { type: 'boolean', description: 'Print what happened as JSON.' },
  },
  async run({ flags }) {
    const folder = await realpath(await mkdtemp(join(tmpdir(), 'clawai-demo-')));
    try {
      const results = await play(folder, flags.json ? () => {} : print);
      if (flags.json) print(JSON.stringify(results, undefined, 2));
      return results.calls.every((call) => call.ok) ? EXIT.ok : EXIT.mismatch;
    } finally {
      await rm(folder, { recursive: true, force: true });
    }
  },
});

/** Fields of an audit event that a person wants to see first. */
interface AuditLine {
  readonly timestamp: string;
  readonly server_id: string;
  readonly tool_name?: string;
  readonly action?: string;
  readonly rule?: string;
  readonly reason?: string;
}

interface DemoResults {
  readonly calls: readonly { tool: string; expected: string; actual: string; text: string; ok: boolean }[];
  readonly audit: readonly AuditLine[];
}

async function play(folder: string, say: (line: string) => void): Promise<DemoResults> {
  await mkdir(join(folder, 'project'));
  await mkdir(join(folder, '.ssh'));
  await writeFile(join(folder, 'project', 'notes.txt'), 'Ship the release on Friday.\n');
  await writeFile(join(folder, '.ssh', 'id_rsa'), 'not a real key, but the server does not know that\n');

  const policy = join(packageRoot(), 'policies', 'default.toml');
  const server = serverCommand(folder);
  say(`${dim('server')}  ${SERVER_PACKAGE}, which may read all of ${folder}`);
  say(`${dim('policy')}  ${policy}`);
  say(`${dim('client')}  the official MCP SDK, which starts: clawai proxy -- ${SERVER_PACKAGE.split('/')[1]} …`);

  const state = join(folder, 'state');
  const client = new Client({ name: 'clawai-demo', version: '1.0.0' });
  const transport = new StdioClientTransport({
    command: process.execPath,
    args: [join(packageRoot(), 'bin', 'clawai.mjs'), 'proxy', '--server', 'files', '--policy', policy, '--', ...server],
    env: { ...getDefaultEnvironment(), XDG_STATE_HOME: state, LOCALAPPDATA: state, XDG_CACHE_HOME: join(folder, 'cache') },
    stderr: 'ignore',
  });
  await client.connect(transport);
  const calls: DemoResults['calls'][number][] = [];
  try {
    for (const scene of SCENES) {
      const args = scene.args(folder);
      say('');
      say(`${styleText('bold', scene.title)}: ${scene.tool} ${JSON.stringify(args).replaceAll(folder, '…')}`);
      const result = await client.callTool({ name: scene.tool, arguments: args });
      const text = textOf(result.content);
      const actual = result.isError === true ? 'denied' : 'allowed';
      const mark = actual === 'allowed' ? styleText('green', 'allowed') : styleText('red', 'denied ');
      say(`  ${mark}  ${actual === 'allowed' ? 'the server answered' : 'the model reads'}: ${text.trim()}`);
      calls.push({
        tool: scene.tool,
        expected: scene.expected,
        actual,
        text,
        ok: actual === scene.expected && isOurs(text) === (actual === 'denied'),
      });
    }
  } finally {
    await client.close();
  }
  const lines = (await readFile(join(state, 'clawai', 'events.jsonl'), 'utf8')).trim().split('\n');
  const audit = lines.map((line) => JSON.parse(line) as AuditLine);
  say('');
  say(`${styleText('bold', 'What the audit recorded')} (all of it: --json)`);
  for (const event of audit) if (event.tool_name !== undefined) say(`  ${auditRow(event)}`);
  say('');
  say('Nothing of yours was read or changed; the folder is removed.');
  return { calls, audit };
}

/** The server from our own packages where they are installed, otherwise from the registry. */
function serverCommand(folder: string): string[] {
  try {
    const entry = createRequire(join(packageRoot(), 'package.json')).resolve(`${SERVER_PACKAGE}/dist/index.js`);
    if (existsSync(entry)) return [process.execPath, entry, folder];
  } catch {
    // Installed without development packages: npx fetches the server.
  }
  return ['npx', '--yes', `${SERVER_PACKAGE}@${SERVER_VERSION}`, folder];
}

function auditRow({ timestamp, action = '', server_id, tool_name = '', rule, reason = '' }: AuditLine): string {
  const why = rule === undefined ? `no rule, ${reason}` : `rule ${rule}`;
  return [timestamp, action.padEnd(5), `${server_id}:${tool_name}`.padEnd(26), why].join('  ');
}

function textOf(content: unknown): string {
  const first: unknown = Array.isArray(content) ? content[0] : undefined;
  return typeof first === 'object' && first !== null && 'text' in first && typeof first.text === 'string' ? first.text : '';
}

/** A denial of ours, not an error of the server's that would look like one. */
function isOurs(text: string): boolean {
  return text.startsWith('clawai denied');
}

function dim(text: string): string {
  return styleText('dim', text);
}

function print(line: string): void {
  process.stdout.write(`${line}\n`);
}
