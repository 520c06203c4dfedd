import { readFileSync, rmSync } from 'node:fs';
import { type IncomingMessage, request as requestPlain } from 'node:http';
import { request as requestTls } from 'node:https';
import { join } from 'node:path';
import { writeAtomically } from '../host/atomic-write.ts';
import { codeOf, makePrivateFolder, toDiskError } from '../host/disk.ts';
import { isRunning } from '../host/machine.ts';

/** Whether `clawai serve` runs. `unhealthy`: something is there that does not answer as it should; `why` is a phrase. */
export type Serving =
  | { readonly kind: 'running'; readonly record: ServeRecord }
  | { readonly kind: 'stopped' }
  | { readonly kind: 'unhealthy'; readonly record: ServeRecord; readonly why: string };

/** It is on this machine, as a rule, and answers from memory. */
const PATIENCE_MS = 1000;

/** More than any answer of ours has. */
const MOST_BYTES = 4096;

const NO_ANSWER = `it does not answer within ${PATIENCE_MS / 1000} s`;

/** What a running `clawai serve` says of itself, for the other commands of its user. */
export interface ServeRecord {
  readonly pid: number;
  /** When it was started, ISO 8601. */
  readonly started: string;
  /** Another one at each start; it tells the process from any other that has come to its port. */
  readonly id: string;
  /** The origin at which it is reached, e.g. `http://127.0.0.1:8787`. */
  readonly url: string;
  /** Of its clawai. */
  readonly version: string;
  /** Absolute path of the file with the token that every request has to bring; absent where none has to. */
  readonly tokenFile?: string;
}

/** Where the record of the one that runs is, in the folder of the state. */
export function serveRecordFile(stateDir: string): string {
  return join(stateDir, 'serve.json');
}

/**
 * Writes the record, in place of whatever was there.
 *
 * @returns removes it if it is still this one; never throws
 * @throws ClawaiError `remote_state_unusable`
 */
export function writeServeRecord(stateDir: string, record: ServeRecord): () => void {
  const file = serveRecordFile(stateDir);
  try {
    makePrivateFolder(stateDir);
    writeAtomically(file, Buffer.from(`${JSON.stringify(record, undefined, 2)}\n`), { mode: 0o600 });
  } catch (error) {
    throw toDiskError(error, { file, failure: 'cannot be written', code: 'remote_state_unusable' });
  }
  return () => {
    try {
      if (readServeRecord(stateDir)?.id === record.id) rmSync(file, { force: true });
    } catch {
      // A record of a process that is gone is recognised as such.
    }
  };
}

/** The record; undefined where there is none, or none that can be relied on. Never throws. */
export function readServeRecord(stateDir: string): ServeRecord | undefined {
  try {
    const value: unknown = JSON.parse(readFileSync(serveRecordFile(stateDir), 'utf8'));
    return isServeRecord(value) ? value : undefined;
  } catch {
    // None, not for us to read, or not ours: each means that nothing is known to run.
    return undefined;
  }
}

function isServeRecord(value: unknown): value is ServeRecord {
  if (typeof value !== 'object' || value === null) return false;
  const { pid, started, id, url, version, tokenFile } = value as Readonly<Record<string, unknown>>;
  return (
    Number.isSafeInteger(pid) &&
    typeof started === 'string' &&
    typeof id === 'string' &&
    id !== '' &&
    typeof url === 'string' &&
    isOrigin(url) &&
    typeof version === 'string' &&
    (tokenFile === undefined || typeof tokenFile === 'string')
  );
}

/** It is put in front of paths in clients' configs. */
function isOrigin(url: string): boolean {
  return /^https?:/.test(url) && URL.canParse(url) && new URL(url).origin === url;
}

/** Finds out whether `clawai serve` runs and answers, by asking it: a record may be old, and another program may have taken its port. */
export async function findServing(stateDir: string): Promise<Serving> {
  const record = readServeRecord(stateDir);
  if (record === undefined || !isRunning(record.pid)) return { kind: 'stopped' };
  try {
    const { status, text } = await get(`${record.url}/healthz`, headersFor(record));
    const why = faultOf(record, status, text);
    return why === undefined ? { kind: 'running', record } : { kind: 'unhealthy', record, why };
  } catch (error) {
    // Nothing listens there: the process of that id is another one by now.
    if (codeOf(error) === 'ECONNREFUSED') return { kind: 'stopped' };
    const why =
      error instanceof Error && error.name === 'AbortError'
        ? NO_ANSWER
        : `it cannot be reached (${codeOf(error) ?? String(error)})`;
    return { kind: 'unhealthy', record, why };
  }
}

function faultOf({ id }: ServeRecord, status: number | undefined, text: string): string | undefined {
  const said = status === 200 ? parse(text) : undefined;
  if (said === undefined || typeof said['id'] !== 'string') return 'another program answers at its address';
  if (said['id'] !== id) return 'another clawai answers at its address';
  return said['status'] === 'ok' ? undefined : `it reports the status ${JSON.stringify(said['status'])}`;
}

function parse(text: string): Readonly<Record<string, unknown>> | undefined {
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === 'object' && value !== null ? (value as Readonly<Record<string, unknown>>) : undefined;
  } catch {
    // Not ours.
    return undefined;
  }
}

/** Throws where the token can't be read. */
function headersFor({ tokenFile }: ServeRecord): Readonly<Record<string, string>> {
  return tokenFile === undefined ? {} : { 'x-clawai-token': readFileSync(tokenFile, 'utf8').trim() };
}

function get(
  url: string,
  headers: Readonly<Record<string, string>>,
): Promise<{ readonly status: number | undefined; readonly text: string }> {
  const signal = AbortSignal.timeout(PATIENCE_MS);
  // A certificate of a company's own names other hosts and other roots than we know; whether it is ours, the id says.
  const request = url.startsWith('https:')
    ? requestTls(url, { signal, headers, rejectUnauthorized: false, agent: false })
    : requestPlain(url, { signal, headers, agent: false });
  return new Promise((resolve, reject) => {
    request.on('error', reject);
    request.on('response', (response: IncomingMessage) => {
      let text = '';
      response.setEncoding('utf8');
      response.on('error', reject);
      response.on('data', (part: string) => {
        text += part;
        if (text.length <= MOST_BYTES) return;
        resolve({ status: response.statusCode, text: '' });
        request.destroy();
      });
      response.on('close', () => resolve({ status: response.statusCode, text }));
    });
    request.end();
  });
}
