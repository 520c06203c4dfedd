import { hash } from 'node:crypto';
import { findDifferingColumns, parseBody } from './event-columns.ts';
import { BODY_TYPES } from './event-types.ts';

/** Retention erases bodies of these types before it erases events, anywhere in a chain. */
const SHORT_LIVED: readonly string[] = Object.values(BODY_TYPES);

/** An event with the fields that verification needs; they are the store's columns. */
export interface ChainedEvent {
  readonly seq: number;
  readonly writer: number;
  readonly n: number;
  /** Milliseconds since the epoch. */
  readonly time: number;
  readonly type: string;
  readonly session: string;
  readonly server: string;
  readonly tool: string | null;
  readonly action: string | null;
  readonly severity: string | null;
  readonly body_hash: Uint8Array;
  readonly hash: Uint8Array;
  readonly body: string | null;
}

interface ChainWriter {
  readonly id: number;
  readonly name: string;
}

/** The last event of a writer that retention erased. */
interface ChainCheckpoint {
  readonly writer: number;
  readonly n: number;
  readonly hash: Uint8Array;
}

type ChainFaultKind =
  | 'missing_events'
  | 'wrong_order'
  | 'edited_body'
  | 'edited_columns'
  | 'missing_body'
  | 'broken_chain'
  | 'unknown_writer';

/** A fault, with the event at which it shows. */
export interface ChainFault {
  readonly kind: ChainFaultKind;
  /** Name of the writer, or its id if it has no name. */
  readonly writer: string;
  readonly n: number;
  readonly seq: number;
  /** Milliseconds since the epoch. */
  readonly time: number;
  readonly message: string;
}

interface Chain {
  readonly name: string | undefined;
  readonly checkpoint: ChainCheckpoint | undefined;
  /** The last event's place; 0 before the first. */
  n: number;
  /** The last event's hash; undefined if unknown. */
  hash: Uint8Array | undefined;
}

/**
 * Checks the chains of all writers. It takes the events one by one in order of commit, and keeps one link per writer.
 *
 * It can't see a chain that was recomputed from some event on, since the chain has no key. It can't see the loss of a writer's newest
 * events, since nothing follows them. It can't see who erased a body of a type that is kept for a shorter time than its event.
 */
export class ChainVerifier {
  /** Events checked so far. */
  events = 0;
  /** Checked events whose body was erased, as a checkpoint or their type allows. */
  erased = 0;
  readonly #names: ReadonlyMap<number, string>;
  readonly #checkpoints: ReadonlyMap<number, ChainCheckpoint>;
  readonly #chains = new Map<number, Chain>();

  constructor(writers: readonly ChainWriter[], checkpoints: readonly ChainCheckpoint[]) {
    this.#names = new Map(writers.map(({ id, name }) => [id, name]));
    this.#checkpoints = new Map(checkpoints.map((checkpoint) => [checkpoint.writer, checkpoint]));
  }

  /** Writers that have events. */
  get writers(): number {
    return this.#chains.size;
  }

  /** Checks the next event and returns its faults. */
  add(event: ChainedEvent): ChainFault[] {
    const faults: ChainFault[] = [];
    const chain = this.#chains.get(event.writer) ?? this.#begin(event.writer);
    const fail = (kind: ChainFaultKind, message: string): void => {
      const { n, seq, time } = event;
      faults.push({ kind, writer: chain.name ?? String(event.writer), n, seq, time, message });
    };
    if (chain.name === undefined && chain.n === 0) fail('unknown_writer', 'no process is known by this id');
    this.#checkPlace(chain, event, fail);
    this.#checkBody(chain, event, fail);
    this.#chains.set(event.writer, chain);
    // An event out of order is not linked: the next ones are compared with the furthest event seen.
    if (event.n > chain.n) {
      chain.n = event.n;
      chain.hash = event.hash;
    }
    this.events += 1;
    return faults;
  }

  #begin(writer: number): Chain {
    const name = this.#names.get(writer);
    return { name, checkpoint: this.#checkpoints.get(writer), n: 0, hash: name === undefined ? undefined : sha256(name) };
  }

  #checkPlace(chain: Chain, event: ChainedEvent, fail: (kind: ChainFaultKind, message: string) => void): void {
    const { checkpoint } = chain;
    // Events that a checkpoint covers may be gone; the chain goes on from the checkpoint itself.
    if (checkpoint !== undefined && chain.n < checkpoint.n && event.n > checkpoint.n) {
      chain.n = checkpoint.n;
      chain.hash = checkpoint.hash;
    }
    if (event.n <= chain.n) return fail('wrong_order', `it comes after event ${chain.n} of its writer`);
    const isErased = checkpoint !== undefined && event.n <= checkpoint.n;
    if (event.n > chain.n + 1) {
      if (!isErased) fail('missing_events', describeGap(chain.n + 1, event.n - 1));
      chain.hash = undefined;
    }
    if (chain.hash !== undefined && !isEqual(event.hash, sha256(Buffer.concat([chain.hash, event.body_hash])))) {
      fail('broken_chain', 'its hash does not follow from the one before it');
    }
    if (checkpoint !== undefined && event.n === checkpoint.n && !isEqual(event.hash, checkpoint.hash)) {
      fail('broken_chain', 'its hash differs from the one that was noted when earlier events were erased');
    }
  }

  #checkBody(chain: Chain, event: ChainedEvent, fail: (kind: ChainFaultKind, message: string) => void): void {
    if (event.body === null) {
      const isErased = SHORT_LIVED.includes(event.type) || (chain.checkpoint !== undefined && event.n <= chain.checkpoint.n);
      if (isErased) this.erased += 1;
      else fail('missing_body', 'its body is missing');
      return;
    }
    if (!isEqual(event.body_hash, sha256(event.body))) return fail('edited_body', 'its body is not the one that was recorded');
    const differing = findDifferingColumns(event, event.body);
    if (differing.length > 0) fail('edited_columns', `its ${differing.join(', ')} in the store differs from its body`);
  }
}

function describeGap(first: number, last: number): string {
  return first === last ? `event ${first} before it is missing` : `events ${first} to ${last} before it are missing`;
}

function sha256(data: string | Uint8Array): Uint8Array {
  return hash('sha256', data, 'buffer');
}

function isEqual(one: Uint8Array, other: Uint8Array): boolean {
  return Buffer.compare(one, other) === 0;
}

/**
 * Formats one event as a line of an export, with its line feed. The body is the last field, exactly as it was recorded, so that its hash
 * can be computed from the line. A body that is not a JSON object on one line goes into `body` as text; `event` is then null, as it is for
 * an erased body.
 *
 * @param writer name of the process that recorded it; null if unknown
 */
export function formatExportedEvent(event: ChainedEvent, writer: string | null): string {
  const { seq, n, body } = event;
  const chain = { writer, n, seq, hash: toHex(event.hash), body_hash: toHex(event.body_hash) };
  if (body === null) return `${JSON.stringify({ ...chain, event: null })}\n`;
  if (/[\r\n]/.test(body) || parseBody(body) === undefined) return `${JSON.stringify({ ...chain, event: null, body })}\n`;
  return `${JSON.stringify(chain).slice(0, -1)},"event":${body}}\n`;
}

/** Formats the point from which a writer's chain goes on in an export, since the events before it were erased. */
export function formatExportedCheckpoint(checkpoint: ChainCheckpoint, writer: string | null): string {
  return `${JSON.stringify({ writer, checkpoint: { n: checkpoint.n, hash: toHex(checkpoint.hash) } })}\n`;
}

function toHex(bytes: Uint8Array): string {
  return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString('hex');
}
