import { hash } from 'node:crypto';
import type { Call } from '../core/call.ts';
import type { JsonObject, JsonValue } from '../core/json.ts';
import { compareListing } from '../core/registry/compare.ts';
import type { Definition, DefinitionKind, PinRecord, PinWrite, Sight } from '../core/registry/definition.ts';
import type { PinStatus, RegistryFacts } from '../core/registry/facts.ts';
import { definitionName, instructionsDefinition } from '../core/registry/fingerprint.ts';
import { pinStatus } from '../core/registry/pin-status.ts';
import { readListing } from '../core/registry/read-listing.ts';
import { INTERNAL_ERROR } from '../protocol/jsonrpc.ts';
import type { Message, Span } from '../protocol/message.ts';
import { type Connection, isText, readObject } from './connection.ts';
import { tellNews, tellServerChange } from './definition-news.ts';
import { hideElements, hideInstructions } from './hide-definitions.ts';
import type { ListMethod } from './list-methods.ts';
import { ListPages, MOST_NAMES } from './list-pages.ts';
import { idOf, type PendingRequest } from './pending.ts';
import type { Transaction } from './recorder.ts';
import { errorLine } from './reply.ts';
import { BUSY, FORWARD, type Verdict } from './verdict.ts';

/** Milliseconds for which a server that was as trusted counts as such without another look. */
const TRUSTED_FOR = 250;

/** What came of looking at a page of a list. */
interface Looked {
  readonly sights: readonly Sight[];
  /** Places in the list that the client does not get to see. */
  readonly hidden: ReadonlySet<number>;
}

/**
 * What the server of one connection declares, held against what is trusted. Every list is compared before the client gets it; what a
 * call is about is looked up when it is decided.
 */
export class Definitions {
  readonly #connection: Connection;
  /** Instructions that came before there was anything to record them with; undefined where there are none, or they are recorded. */
  #instructions: Definition | undefined;
  /** What this server listed, which may not be what another process of it did. */
  readonly #seen = new Map<string, string>();
  readonly #pages = new ListPages();
  #introducedIn: Readonly<Transaction> | undefined;
  /** Milliseconds, as the clock's `now`. */
  #trustedUntil = 0;

  constructor(connection: Connection) {
    this.#connection = connection;
  }

  /** The answer to a list, before it is delivered. `forward` where nothing is to be left out of it; `replace` otherwise. */
  listed(message: Message, pending: PendingRequest, list: ListMethod): Verdict {
    const { recorder, setup } = this.#connection;
    if (message.result === undefined) return FORWARD;
    const digest = digestOf(message.bytes, message.result);
    const result = this.#read(message);
    if (!recorder.open()) return BUSY;
    const looked = recorder.within(() => this.#look(result, { digest, list, cursor: pending.cursor }));
    if (typeof result === 'string' && this.#pinning().enabled && !setup.isObserving) {
      return { kind: 'replace', line: errorLine(idOf(pending), INTERNAL_ERROR, `clawai refused the server's list: ${result}`) };
    }
    if (looked === undefined || looked.hidden.size === 0 || setup.isObserving) return FORWARD;
    const isHidden = (index: number): boolean => looked.hidden.has(index);
    return { kind: 'replace', line: hideElements(this.#connection.scanner, message, { member: list.member, isHidden }) };
  }

  /** The answer to a greeting: what it tells the model is recorded with the first list or call, unless it must not reach the model. */
  greeted(message: Message): Verdict {
    const { recorder, scanner, setup } = this.#connection;
    const text = readInstructions(message);
    if (text === undefined) return FORWARD;
    this.#instructions = instructionsDefinition(text);
    const { enabled, onChange } = this.#pinning();
    if (!enabled || onChange !== 'hide' || setup.isObserving) return FORWARD;
    if (!recorder.open()) return BUSY;
    const isChanged = recorder.within(() => {
      this.#introduce();
      return this.#isServerChanged();
    });
    return isChanged === false ? FORWARD : { kind: 'replace', line: hideInstructions(scanner, message) };
  }

  /** What is known of what a call is about. To be asked while the recorder is open; undefined where the registry can't be. */
  facts(call: Call): RegistryFacts | undefined {
    const { recorder, setup } = this.#connection;
    const { registry } = setup.ports;
    return recorder.within(() => {
      this.#introduce();
      const kind: DefinitionKind = call.prompt === undefined ? (call.resource === undefined ? 'tool' : 'resource') : 'prompt';
      const name = call.tool ?? call.resource ?? call.prompt;
      const known = name === undefined ? undefined : registry.pin(setup.server, kind, name);
      const record = name === undefined ? undefined : this.#asSeenHere(known, kind, name);
      return {
        status: name === undefined ? 'pinned' : pinStatus(record),
        fingerprint: record?.seen,
        definition: () => (name === undefined ? undefined : registry.text(setup.server, kind, name, 'seen')),
        isServerChanged: this.#isServerChanged(),
      };
    });
  }

  #pinning(): { enabled: boolean; trustFirstUse: boolean; onChange: 'deny' | 'hide' | 'prompt' | 'alert' } {
    return this.#connection.setup.policy.current().policy.pinning;
  }

  #asSeenHere(known: PinRecord | undefined, kind: DefinitionKind, name: string): PinRecord | undefined {
    const seen = this.#seen.get(`${kind} ${name}`);
    return known === undefined || seen === undefined ? known : { ...known, seen };
  }

  /** A list as an object, or why it can't be held against anything: two readers of it might not read the same. */
  #read(message: Message): JsonObject | string {
    if (!isText(message)) return 'not valid UTF-8';
    return this.#connection.readResult(message);
  }

  #look(result: JsonObject | string, page: { digest: string; list: ListMethod; cursor: string | undefined }): Looked {
    const { setup } = this.#connection;
    const { registry, clock } = setup.ports;
    const { kind } = page.list;
    this.#introduce();
    const nothing: Looked = { sights: [], hidden: new Set() };
    if (typeof result === 'string') return nothing;
    const now = clock.now();
    const isFirst = page.cursor === '';
    if (isFirst && registry.page(setup.server, kind, '') === page.digest) return nothing;
    const { definitions, problems, nextCursor } = readListing(kind, result);
    const isWhole = isFirst && nextCursor === undefined;
    const known = isWhole ? registry.pins(setup.server, kind) : this.#pinsOf(kind, definitions);
    const { trustFirstUse } = this.#pinning();
    const { sights, writes } = compareListing(known, definitions, { trustFirstUse, isWhole });
    registry.write(setup.server, writes, now);
    this.#remember(kind, definitions);
    if (!isWhole) {
      const names = this.#pages.follow(kind, definitions, { isFirst, isLast: nextCursor === undefined });
      if (names !== undefined) this.#noteGone(kind, names, now);
    }
    tellNews(setup, { kind, sights, problems });
    const isClean = sights.every(({ status }) => status === 'unchanged') && problems.length === 0;
    registry.writePage(setup.server, kind, '', isWhole && isClean ? page.digest : undefined, now);
    return { sights, hidden: this.#hidden(sights, result, page.list) };
  }

  #pinsOf(kind: DefinitionKind, definitions: readonly Definition[]): ReadonlyMap<string, PinRecord> {
    const { setup } = this.#connection;
    const known = new Map<string, PinRecord>();
    for (const { name } of definitions) {
      const pin = setup.ports.registry.pin(setup.server, kind, name);
      if (pin !== undefined) known.set(name, pin);
    }
    return known;
  }

  #remember(kind: DefinitionKind, definitions: readonly Definition[]): void {
    for (const { name, fingerprint } of definitions) {
      if (this.#seen.size < MOST_NAMES) this.#seen.set(`${kind} ${name}`, fingerprint);
    }
  }

  #noteGone(kind: DefinitionKind, names: ReadonlySet<string>, now: number): void {
    const { setup } = this.#connection;
    const { registry } = setup.ports;
    const gone = [...registry.pins(setup.server, kind).values()].filter(({ name, isListed }) => isListed && !names.has(name));
    const writes = gone.map(({ name }): PinWrite => ({ kind, name, isListed: false }));
    if (writes.length > 0) registry.write(setup.server, writes, now);
  }

  #hidden(sights: readonly Sight[], result: JsonObject, { kind, member }: ListMethod): ReadonlySet<number> {
    const { enabled, onChange, trustFirstUse } = this.#pinning();
    const hidden = new Set<number>();
    if (!enabled || onChange !== 'hide') return hidden;
    const names = new Set<string>();
    for (const { definition, status } of sights) {
      const isUntrusted = status === 'changed' || (!trustFirstUse && this.#statusOf(definition) !== 'pinned');
      if (isUntrusted) names.add(definition.name);
    }
    const list = result[member];
    if (names.size === 0 || !Array.isArray(list)) return hidden;
    for (const [index, element] of (list as readonly JsonValue[]).entries()) {
      const name = definitionName(kind, element);
      if (name !== undefined && names.has(name)) hidden.add(index);
    }
    return hidden;
  }

  #statusOf({ kind, name }: Definition): PinStatus {
    const { setup } = this.#connection;
    return pinStatus(setup.ports.registry.pin(setup.server, kind, name));
  }

  #isServerChanged(): boolean {
    const { setup } = this.#connection;
    const { registry, clock } = setup.ports;
    const now = clock.now();
    if (now < this.#trustedUntil && now > this.#trustedUntil - 2 * TRUSTED_FOR) return false;
    const server = registry.server(setup.server);
    const instructions = this.#asSeenHere(registry.pin(setup.server, 'instructions', ''), 'instructions', '');
    const isChanged =
      (server !== undefined && server.pinned !== setup.identity().fingerprint) || pinStatus(instructions) === 'changed';
    this.#trustedUntil = isChanged ? 0 : now + TRUSTED_FOR;
    return isChanged;
  }

  /** Notes how the server is started and what it said when it was greeted, once they can be recorded. */
  #introduce(): void {
    const { recorder, setup } = this.#connection;
    if (this.#introducedIn?.isLost === false && this.#instructions === undefined) return;
    const { registry, clock } = setup.ports;
    const now = clock.now();
    if (this.#introducedIn?.isLost !== false) this.#introduceServer(now);
    this.#introducedIn = recorder.current;
    const instructions = this.#instructions;
    if (instructions === undefined) return;
    this.#instructions = undefined;
    const { trustFirstUse } = this.#pinning();
    const known = registry.pins(setup.server, 'instructions');
    const { sights, writes } = compareListing(known, [instructions], { trustFirstUse, isWhole: true });
    registry.write(setup.server, writes, now);
    this.#remember('instructions', [instructions]);
    tellNews(setup, { kind: 'instructions', sights, problems: [] });
  }

  #introduceServer(now: number): void {
    const { setup } = this.#connection;
    const { registry } = setup.ports;
    const { server } = setup;
    const identity = setup.identity();
    const known = registry.server(server);
    if (known?.seen !== identity.fingerprint) {
      registry.writeServer(server, identity, { isPinned: known === undefined && this.#pinning().trustFirstUse, now });
    }
    if (known?.pinned !== undefined && known.pinned !== identity.fingerprint) tellServerChange(setup, known.pinned);
  }
}

/** The instructions in an answer to a greeting; undefined where it has none. */
function readInstructions(message: Message): string | undefined {
  if (message.result === undefined) return undefined;
  const instructions = readObject(message, message.result)?.['instructions'];
  return typeof instructions === 'string' && instructions !== '' ? instructions : undefined;
}

function digestOf(bytes: Buffer, { start, end }: Span): string {
  return hash('sha256', bytes.subarray(start, end), 'hex');
}
