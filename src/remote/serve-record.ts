import { readFileSync, rmSync } from 'node:fs';
import { type IncomingMessage, request as requestPlain } from 'node:http';
import { request as requestTls } from 'node:https';
import { join } from 'node:path';
import { writeAtomically } from '../host/atomic-write.ts';
import { codeOf, toDiskError } from '../host/disk.ts';
import { makePrivateFolder } from '../host/make-folder.ts';
import { isRunning } from '../host/machine.ts';

/** The state of `clawai serve`. `unhealthy`: something answers wrongly or not at all; `why` is a phrase. */
export type Serving =
  | { readonly kind: 'running'; readonly record: ServeRecord }
  | { readonly kind: 'stopped' }
  | { readonly kind: 'unhealthy'; readonly record: ServeRecord; readonly why: string };

/** Milliseconds to wait for an answer: it is usually local, and comes from memory. */
const PATIENCE_MS = 1000;

/** Bytes; more than any answer of ours has. */
const MOST_BYTES = 4096;

const NO_ANSWER = `it does not answer within ${PATIENCE_MS / 1000} s`;

/** The record of a running `clawai serve`, for the user's other commands. */
export interface ServeRecord {
  readonly pid: number;
  /** Start time, ISO 8601. */
  readonly started: string;
  /** Random at each start; it tells the process from any other that took its port. */
  readonly id: string;
  /** The origin that it listens at, e.g. `http://127.0.0.1:8787`. */
  readonly url: string;
  /** The version of its clawai. */
  readonly version: string;
  /** Absolute path of the file with the token that every request must carry; absent if none is required. */
  readonly tokenFile?: string;
}

/** Returns the path of the record, in the state folder. */
export function serveRecordFile(stateDir: string): string {
  return join(stateDir, 'serve.json');
}

/**
 * Writes the record, replacing any other.
 *
 * @returns a function that removes the record if it is still this one; it never throws
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
      // The record of a process that is gone is recognised as such.
    }
  };
}

/** Reads the record; undefined if it is missing or invalid. Never throws. */
export function readServeRecord(stateDir: string): ServeRecord | undefined {
  try {
    const value: unknown = JSON.parse(readFileSync(serveRecordFile(stateDir), 'utf8'));
    return isServeRecord(value) ? value : undefined;
  } catch {
    // The file is missing, unreadable or not ours: nothing is known to run.
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

/** Tells whether the text is an origin; clients' configs get it in front of paths. */
function isOrigin(url: string): boolean {
  return /^https?:/.test(url) && URL.canParse(url) && new URL(url).origin === url;
}

/** Asks `clawai serve` whether it runs: the record may be old, and another program may have taken its port. */
export async function findServing(stateDir: string): Promise<Serving> {
  const record = readServeRecord(stateDir);
  if (record === undefined || !isRunning(record.pid)) return { kind: 'stopped' };
  try {
    const { status, text } = await get(`${record.url}/healthz`, headersFor(record));
    const why = faultOf(record, status, text);
    return why === undefined ? { kind: 'running', record } : { kind: 'unhealthy', record, why };
  } catch (error) {
    // Nothing listens there: the process id belongs to another process by now.
    if (codeOf(error) === 'ECONNREFUSED') return { kind: 'stopped' };
    const why =
      error instanceof Error && error.name === 'AbortError'
        ? NO_ANSWER
        : `it cannot be reached (${codeOf(error) ?? String(error)})`;
    return { kind: 'unhealthy', record, why };
  }
}

function faultOf({ id }: ServeRecord, status: number | undefined, text: string): string | undefined {
  const answer = status === 200 ? parse(text) : undefined;
  if (answer === undefined || typeof answer['id'] !== 'string') return 'another program answers at its address';
  if (answer['id'] !== id) return 'another clawai answers at its address';
  return answer['status'] === 'ok' ? undefined : `it reports the status ${JSON.stringify(answer['status'])}`;
}

function parse(text: string): Readonly<Record<string, unknown>> | undefined {
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === 'object' && value !== null ? (value as Readonly<Record<string, unknown>>) : undefined;
  } catch {
    // Another program answered.
    return undefined;
  }
}

/** Throws if the token can't be read. */
function headersFor({ tokenFile }: ServeRecord): Readonly<Record<string, string>> {
  return tokenFile === undefined ? {} : { 'x-clawai-token': readFileSync(tokenFile, 'utf8').trim() };
}

function get(
  url: string,
  headers: Readonly<Record<string, string>>,
): Promise<{ readonly status: number | undefined; readonly text: string }> {
  const signal = AbortSignal.timeout(PATIENCE_MS);
  // A company's own certificate has other hosts and other roots than we know; the id shows whether the server is ours.
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
