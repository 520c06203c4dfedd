import { readFileSync } from 'node:fs';
import { request as requestPlain, type IncomingMessage } from 'node:http';
import { request as requestTls } from 'node:https';
import { codeOf } from '../host/disk-error.ts';
import { isRunning } from '../host/is-running.ts';
import { readServeRecord, type ServeRecord } from './serve-record.ts';

/** Whether `clawai serve` runs. `unhealthy`: something is there that does not answer as it should; `why` is a phrase. */
export type Serving =
  | { readonly kind: 'running'; readonly record: ServeRecord }
  | { readonly kind: 'stopped' }
  | { readonly kind: 'unhealthy'; readonly record: ServeRecord; readonly why: string };

/** It is on this machine, as a rule, and answers from memory. */
const PATIENCE_MS = 1000;

/** More than any answer of ours has. */
const MOST_BYTES = 4096;

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
      error instanceof Error && error.name === 'AbortError' ? NO_ANSWER : `it can't be asked (${codeOf(error) ?? String(error)})`;
    return { kind: 'unhealthy', record, why };
  }
}

const NO_ANSWER = `it does not answer within ${PATIENCE_MS / 1000} s`;

function faultOf({ id }: ServeRecord, status: number | undefined, text: string): string | undefined {
  const said = status === 200 ? parse(text) : undefined;
  if (said === undefined || typeof said['id'] !== 'string') return 'another program answers at its address';
  if (said['id'] !== id) return 'another clawai answers at its address';
  return said['status'] === 'ok' ? undefined : `it says that it is ${JSON.stringify(said['status'])}`;
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
