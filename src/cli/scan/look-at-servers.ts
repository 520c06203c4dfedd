import { statSync } from 'node:fs';
import { ClawaiError } from '../../errors.ts';
import type { Looked } from '../../scan/scanned.ts';
import type { RegistryReader } from '../../store/reading/registry-reader.ts';
import { listReached, listStarted } from '../mcp/inspect/live-server.ts';
import type { ItemGroup } from '../mcp/inspect/items.ts';
import { Progress } from '../terminal/notes.ts';
import { notDoneWithin } from '../../transport/listing/server-lister.ts';
import { ENDING_SIGNALS } from '../../transport/stdio/ending.ts';
import { cutToWidth, printable } from '../terminal/text.ts';
import { findRecorded, readRecorded, type RecordedServer } from './recorded-server.ts';
import type { ScanTarget, StartableLaunch } from './scan-target.ts';

/** Servers that run at once. */
const MOST_AT_ONCE = 4;

/** Bytes that one server may send. */
const MOST_BYTES = 16 * 1024 * 1024;

/** Lines that one server may send; honest ones send one for each answer, and some that they log. */
const MOST_LINES = 50_000;

/** Characters of a reason, with what the server said last. */
const MOST_WHY = 1000;

/** Milliseconds between two changes of the progress. */
const TICK = 250;

/** A server, and everything that it declares. */
export interface LookedAt {
  readonly target: ScanTarget;
  readonly recorded: RecordedServer | undefined;
  readonly looked: Looked;
  readonly group: ItemGroup;
}

export interface LookOptions {
  readonly reader: RegistryReader | undefined;
  /** Tells how to look at a server that could be asked. */
  readonly choose: (
    target: ScanTarget,
    recorded: RecordedServer | undefined,
  ) => 'ask' | 'record' | Extract<Looked, { kind: 'not' }>;
  /** Milliseconds for one server. */
  readonly time: number;
}

/**
 * Looks at what each server declares: asks it, a few at a time, or reads the registry. No server can fail the others, or take longer or
 * send more than its share.
 *
 * @returns in the order of the targets; the signal if one interrupted it
 */
export async function lookAtServers(
  targets: readonly ScanTarget[],
  options: LookOptions,
): Promise<readonly LookedAt[] | NodeJS.Signals> {
  const results: LookedAt[] = [];
  const progress = new Progress('servers looked at', targets.length);
  const stop = new AbortController();
  let interrupted: NodeJS.Signals = 'SIGINT';
  const interrupt = (signal: NodeJS.Signals): void => {
    interrupted = signal;
    stop.abort();
  };
  let done = 0;
  let next = 0;
  const work = async (): Promise<void> => {
    while (!stop.signal.aborted) {
      const at = next++;
      const target = targets[at];
      if (target === undefined) return;
      results[at] = await lookAt(target, options, stop.signal);
      progress.show(++done);
    }
  };
  const ticking = setInterval(() => progress.show(done), TICK);
  for (const signal of ENDING_SIGNALS) process.on(signal, interrupt);
  try {
    await Promise.all(Array.from({ length: MOST_AT_ONCE }, work));
  } finally {
    for (const signal of ENDING_SIGNALS) process.off(signal, interrupt);
    clearInterval(ticking);
    progress.end();
  }
  return stop.signal.aborted ? interrupted : results;
}

async function lookAt(target: ScanTarget, { reader, choose, time }: LookOptions, signal: AbortSignal): Promise<LookedAt> {
  const recorded = findRecorded(reader, target);
  const looked = (found: Looked, group: ItemGroup): LookedAt => ({ target, recorded, looked: found, group });
  const nothing: ItemGroup = { server: target.recordName, items: [], skipped: [] };
  const ofRecord = (why?: string): LookedAt | undefined => {
    if (reader === undefined || recorded === undefined || recorded.definitions.length === 0) return undefined;
    const group = readRecorded(reader, recorded);
    const skipped = why === undefined ? group.skipped : [...group.skipped, { what: 'its present definitions:', why }];
    return looked({ kind: 'recorded' }, { ...group, skipped });
  };
  const { start } = target;
  if (start.kind === 'not') return (start.isOff === true ? undefined : ofRecord()) ?? looked(start, nothing);
  const choice = choose(target, recorded);
  if (typeof choice === 'object') return looked(choice, nothing);
  if (choice === 'record') {
    const todo = 'leave out --no-start to have it started and asked';
    return ofRecord() ?? looked({ kind: 'not', why: 'nothing is on record', todo }, nothing);
  }
  try {
    return looked({ kind: 'asked' }, await ask(target, start, { time, signal }));
  } catch (error) {
    if (!(error instanceof ClawaiError)) throw error;
    const why = reasonOf(error, target.recordName);
    return ofRecord(why) ?? looked({ kind: 'not', why, todo: todoAfter(error, start) }, nothing);
  }
}

/** The reason as a phrase whose subject is the server. */
function reasonOf({ message }: ClawaiError, name: string): string {
  const text = message.replaceAll('\n', '; ');
  const start = [`${printable(name)} could not be listed: `, `${printable(name)} `].find((words) => text.startsWith(words));
  const reason = start === undefined ? text : text.slice(start.length).replace(/^wants/, 'it wants');
  return cutToWidth(reason, MOST_WHY);
}

function todoAfter({ code, message }: ClawaiError, { launch }: StartableLaunch): string {
  if (message.includes('wants a login')) return 'let its client use it behind clawai once; then it is looked at as it was listed';
  if (message.includes('was not done within')) return 'give it longer with --timeout, or see by hand why it hangs';
  if (launch.kind === 'url') return 'see that the URL is right, and that the server runs';
  return code.startsWith('command_') ? 'install it, or correct its entry' : 'start it by hand to see what is wrong';
}

async function ask(
  { recordName }: ScanTarget,
  { launch, cwd }: StartableLaunch,
  { time, signal }: { readonly time: number; readonly signal: AbortSignal },
): Promise<ItemGroup> {
  if (launch.kind === 'url') {
    const { url, headers } = launch;
    const late = new AbortController();
    const timer = setTimeout(() => late.abort(new Error(notDoneWithin(time))), time);
    const bounds = { signal: AbortSignal.any([signal, late.signal]), most: MOST_BYTES };
    return listReached({ name: recordName, url, headers }, bounds).finally(() => clearTimeout(timer));
  }
  if (!isFolder(cwd)) {
    throw new ClawaiError(`its folder ${cwd} does not exist`, { code: 'command_failed' });
  }
  const place = { cwd, env: { ...process.env, ...launch.env } };
  return listStarted(launch.words, { name: recordName, place, bounds: { time, bytes: MOST_BYTES, lines: MOST_LINES } });
}

function isFolder(path: string): boolean {
  try {
    return statSync(path).isDirectory();
  } catch {
    // It is not there, or we may not look into it: a process can't start there either.
    return false;
  }
}
