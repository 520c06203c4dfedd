import { existsSync, mkdtempSync, readFileSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { homedir, tmpdir } from 'node:os';
import { join } from 'node:path';
import { CALL_TYPES, CANARY_SERVER as CANARY } from '../../audit/event-types.ts';
import { loadConfig } from '../../config/config-file.ts';
import { compileGlob } from '../../core/patterns/glob.ts';
import { packageRoot } from '../../host/directories.ts';
import { startProgram, type StartedProgram } from '../../host/start-program.ts';
import { openStoreReader } from '../../store/reading/read-open.ts';
import type { StoredEvent } from '../../store/reading/read.ts';
import { storeFile } from '../../store/private-file.ts';
import { findLauncher, ownInstallation } from '../../wrap/launcher.ts';
import { formatWrappedCommand, type CommandLine } from '../../wrap/wrapped-command.ts';
import { StderrTail } from '../machine/stderr-tail.ts';
import { toFailures } from './check-settings.ts';
import { type Check, fail, ok } from './check.ts';
import { desktopEnvironment } from './check-installation.ts';

/** Allows what is not denied: that the other call is stopped must be the rule's doing. */
const POLICY = `# For clawai doctor --live alone.
[defaults]
action = "allow"

# The canary is where this clawai is, and that may have moved.
[pinning]
enabled = false

[[rule]]
id = "canary-trap"
action = "deny"
tool = "canary_trap"
description = "A call that must not reach the canary"
`;

/** The canary's log, relative to the folder it is started in, so that its command line is always the same. */
const HEARD = 'heard.jsonl';

export interface LiveProof {
  readonly checks: readonly Check[];
  /** The command line that was proved, as it would stand in a client's config. */
  readonly command: CommandLine;
  /** The audit's events of the proof, read back from the store, oldest first. */
  readonly events: readonly StoredEvent[];
}

/**
 * Proves interception end to end: a canary server behind clawai, started by the very command line that `clawai wrap` writes, in the
 * environment of a desktop app, gets the call that a policy allows and not the one that it denies, and both are in the user's own store.
 */
export async function proveLive(): Promise<LiveProof> {
  const folder = realpathSync(mkdtempSync(join(tmpdir(), 'clawai-doctor-')));
  try {
    return await proveIn(folder);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

async function proveIn(folder: string): Promise<LiveProof> {
  const heardFile = join(folder, HEARD);
  const policy = join(folder, 'policy.toml');
  writeFileSync(policy, POLICY);
  const command = formatWrappedCommand({
    launcher: findLauncher(ownInstallation()).words,
    flags: ['--server', CANARY, '--policy', policy],
    server: { command: process.execPath, args: [join(packageRoot(), 'bin', 'canary-server.mjs'), HEARD] },
  });
  const env = desktopEnvironment({ env: process.env, platform: process.platform, home: homedir() });
  let store: string;
  try {
    store = await storeOf(env);
  } catch (error) {
    return { checks: toFailures('start', error), command, events: [] };
  }
  let before: number;
  try {
    before = lastSeq(store);
  } catch (error) {
    // A store that nobody can read proves nothing.
    return { checks: toFailures('audit', error), command, events: [] };
  }
  const word = `${process.pid}-${Date.now().toString(36)}`;
  const client = new CanaryClient({ ...command, env, cwd: folder });
  const checks: Check[] = [];
  try {
    checks.push(...(await talk(client, word)));
  } catch (error) {
    const output = client.lines.map((line) => `; it said: ${line}`).join('');
    checks.push(
      fail('start', `${error instanceof Error ? error.message : String(error)}${output}`, 'run the command line below'),
    );
  } finally {
    await client.close();
  }
  checks.push(checkHeard(heardFile, word));
  try {
    const events = recorded(store, before).filter(({ body }) => body?.includes(word));
    return { checks: [...checks, checkRecorded(events, store)], command, events };
  } catch (error) {
    return { checks: [...checks, ...toFailures('audit', error)], command, events: [] };
  }
}

async function talk(client: CanaryClient, word: string): Promise<readonly Check[]> {
  const clientInfo = { name: CANARY, version: '1.0.0' };
  await client.request('initialize', { protocolVersion: '2025-11-25', capabilities: {}, clientInfo });
  client.notify('notifications/initialized');
  const call = (name: string): Promise<Answer> => client.request('tools/call', { name, arguments: { text: word } });
  const sung = textOf(await call('canary_sing'));
  const trapped = await call('canary_trap');
  const denial = textOf(trapped);
  return [
    ok('start', 'a canary server started behind clawai as a desktop app would start it'),
    sung === `canary_sing heard ${word}`
      ? ok('allowed', 'the call that the policy allows came back from the canary unchanged')
      : fail('allowed', `the call that the policy allows came back as: ${sung}`),
    trapped.result?.['isError'] === true && denial.startsWith('clawai denied')
      ? ok('denied', 'the call that the policy denies came back as a denial by its rule')
      : fail('denied', `the call that the policy denies came back as: ${denial}`),
  ];
}

/** Checks the log that the canary itself wrote, a file that clawai knows nothing of. */
function checkHeard(file: string, word: string): Check {
  const lines = existsSync(file) ? readFileSync(file, 'utf8').split('\n') : [];
  const tools = lines.filter((line) => line.includes(word)).map((line) => (JSON.parse(line) as { readonly tool: string }).tool);
  if (tools.length === 1 && tools[0] === 'canary_sing') return ok('server', 'the canary got the one call and not the other');
  if (tools.includes('canary_trap'))
    return fail('server', 'the canary got a call that the policy denies', 'see whether the config says mode = "observe"');
  return fail('server', `the canary got ${tools.length === 0 ? 'no call at all' : tools.join(', ')}`);
}

function checkRecorded(events: readonly StoredEvent[], store: string): Check {
  const found = events.map(({ tool, action }) => `${tool} ${action}`);
  const isComplete = found.length === 2 && found[0] === 'canary_sing allow' && found[1] === 'canary_trap block';
  if (isComplete) return ok('audit', `both calls are on record in ${store}`);
  const what = found.length === 0 ? 'neither call' : found.join(', ');
  return fail('audit', `on record in ${store}: ${what}`, 'see that it may be written by you, and `clawai log verify`');
}

/** The store that clawai writes in this environment, which may be another one than in the user's shell. */
async function storeOf(env: Readonly<Record<string, string>>): Promise<string> {
  return storeFile((await loadConfig({ env, platform: process.platform, home: homedir() })).stateDir);
}

function lastSeq(store: string): number {
  const reader = openStoreReader(store);
  const last = reader?.lastSeq() ?? 0;
  reader?.close();
  return last;
}

function recorded(store: string, after: number): StoredEvent[] {
  const reader = openStoreReader(store);
  if (reader === undefined) return [];
  try {
    return [...reader.events({ after, server: compileGlob(CANARY), types: CALL_TYPES })];
  } finally {
    reader.close();
  }
}

function textOf({ result, error }: Answer): string {
  if (error !== undefined) return error.message;
  const content: unknown = result?.['content'];
  const first: unknown = Array.isArray(content) ? content[0] : undefined;
  return typeof first === 'object' && first !== null && 'text' in first ? String(first.text) : JSON.stringify(result);
}

/** Milliseconds that an answer may take: clients give up at 30 to 60 s, and a slow disk is no fault of ours. */
const PATIENCE = 20_000;
/** Milliseconds in which a wrapped server ends at the latest, and then some. */
const ENDING = 5000;

interface CanaryClientOptions {
  readonly command: string;
  readonly args: readonly string[];
  /** The whole environment. */
  readonly env: Readonly<Record<string, string>>;
  readonly cwd: string;
}

/** A JSON-RPC answer. */
interface Answer {
  readonly id: number;
  readonly result?: Readonly<Record<string, unknown>>;
  readonly error?: { readonly code: number; readonly message: string };
}

/** A minimal MCP client on the standard streams of a process of its own. */
class CanaryClient {
  readonly #child: StartedProgram;
  readonly #stderr: StderrTail | undefined;
  readonly #waiting = new Map<number, (answer: Answer) => void>();
  readonly #gone: Promise<string>;
  #rest = '';
  #lastId = 0;

  constructor({ command, args, env, cwd }: CanaryClientOptions) {
    const child = startProgram(command, args, { env, cwd, stdio: 'pipe' });
    this.#child = child;
    this.#stderr = child.stderr === null ? undefined : new StderrTail(child.stderr);
    child.stdin?.on('error', () => {}); // that it has ended is said below
    child.stdout?.setEncoding('utf8').on('data', (text: string) => this.#take(text));
    this.#gone = child.ended.then(({ code, signal, cause }) =>
      code === undefined && signal === undefined
        ? `it could not be started: ${cause instanceof Error ? cause.message : String(cause)}`
        : `it ended by itself with ${signal ?? `exit code ${code}`}`,
    );
  }

  /** The last lines that were printed on stderr. */
  get lines(): readonly string[] {
    return this.#stderr?.lines ?? [];
  }

  /** Resolves to the answer; throws an Error where the process ends before, or none comes in time. */
  async request(method: string, params: Readonly<Record<string, unknown>>): Promise<Answer> {
    const id = ++this.#lastId;
    let timer: NodeJS.Timeout | undefined;
    const answer = new Promise<Answer>((settle) => this.#waiting.set(id, settle));
    const silence = new Promise<string>((settle) => {
      timer = setTimeout(settle, PATIENCE, `no answer to ${method} came within ${PATIENCE / 1000} s`);
    });
    this.#send({ jsonrpc: '2.0', id, method, params });
    const first = await Promise.race([answer, silence, this.#gone]);
    clearTimeout(timer);
    if (typeof first === 'string') throw new Error(first);
    return first;
  }

  notify(method: string): void {
    this.#send({ jsonrpc: '2.0', method });
  }

  /** Ends it as clients do, and makes it end where it doesn't. */
  async close(): Promise<void> {
    this.#child.stdin?.end();
    const timer = setTimeout(() => this.#child.kill('SIGKILL'), ENDING);
    await this.#gone;
    clearTimeout(timer);
  }

  #send(message: object): void {
    this.#child.stdin?.write(`${JSON.stringify(message)}\n`);
  }

  #take(text: string): void {
    const lines = (this.#rest + text).split('\n');
    this.#rest = lines.pop() ?? '';
    for (const line of lines) {
      const answer = parseAnswer(line);
      if (answer !== undefined) this.#waiting.get(answer.id)?.(answer);
    }
  }
}

/** Undefined for what answers nothing: a notification, or text of a program that was started instead of ours. */
function parseAnswer(line: string): Answer | undefined {
  try {
    const message: unknown = JSON.parse(line);
    const isAnswer = typeof message === 'object' && message !== null && 'id' in message && typeof message.id === 'number';
    return isAnswer ? (message as Answer) : undefined;
  } catch {
    return undefined;
  }
}
