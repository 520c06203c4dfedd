import { CALL_TYPES } from '../../audit/event-types.ts';
import type {
  EventDetails,
  EventPage,
  RatesResult,
  ServersResult,
  SessionResult,
  SessionsResult,
  WireFlow,
} from '../../page/wire.ts';
import { openActivityReader, openStoreReader } from '../../store/reading/read-open.ts';
import type { EventQuery } from '../../store/reading/read-query.ts';
import type { StoreReader } from '../../store/reading/read.ts';
import { usageError } from '../command.ts';
import { shortId } from '../log/event-fields.ts';
import { toQuery } from '../log/event-flags.ts';
import { TELLING_TYPES } from '../log/log.ts';
import { describeInFull } from '../mcp/registry/describe-entry.ts';
import {
  commandFor,
  type Entry,
  entryChanges,
  entryLabel,
  listEntries,
  openRegistry,
  readEntry,
} from '../mcp/registry/entries.ts';
import { OUTCOMES, sinkWords, sourceWords, whyWords } from '../report/chain-words.ts';
import { type Chain, type Outcome, toChains } from '../report/chains.ts';
import { summarise } from '../report/summarise.ts';
import { formatReport } from '../report/text.ts';
import { layoutJson } from '../terminal/json.ts';
import { visible } from '../terminal/text.ts';
import { shown, toWireEvent } from './wire-events.ts';

/** Events of a page, calls of a session, definitions and their changes that are shown at once. */
const MOST_EVENTS = 100;
const MOST_CALLS = 300;
const MOST_ENTRIES = 1000;
const MOST_CHANGES = 40;
/** Events that a report sums up in the page; `clawai report` sums up more. */
const MOST_REPORTED = 20_000;
const COLUMNS = 96;
const MINUTE = 60_000;

/** Reads the record for the page, by the functions of `clawai log`, `report` and `mcp registry`. */
export class RecordViews {
  readonly #file: string;
  readonly #config: string | undefined;
  #entries: readonly Entry[] = [];

  constructor(file: string, config: string | undefined) {
    this.#file = file;
    this.#config = config;
  }

  /** Events, newest first in time and oldest first in the list: those that match the filters of `clawai log`, before a `seq`. */
  events(asked: URLSearchParams): EventPage {
    const given = (name: string): string | undefined => asked.get(name)?.trim() || undefined;
    const before = Number(asked.get('before') ?? Number.MAX_SAFE_INTEGER);
    if (!Number.isSafeInteger(before) || before < 0) throw usageError('before is no number of an event', '');
    const action = given('action');
    const query: EventQuery = {
      types: TELLING_TYPES,
      ...withoutUndefined(
        toQuery({ server: given('server'), tool: given('tool'), type: given('type'), since: given('since') }, Date.now()),
      ),
      session: given('session'),
      ...(action === 'allow' || action === 'block' ? { action } : {}),
      upTo: before - 1,
    };
    return (
      this.#read((reader) => {
        const events = [...reader.newest(query, MOST_EVENTS + 1)];
        return { events: events.slice(-MOST_EVENTS).map(toWireEvent), hasMore: events.length > MOST_EVENTS };
      }) ?? { events: [], hasMore: false }
    );
  }

  /** An event as it is on record. */
  event(asked: URLSearchParams): EventDetails {
    const seq = Number(asked.get('seq'));
    if (!Number.isSafeInteger(seq)) throw usageError('seq is no number of an event', '');
    const [event] = this.#read((reader) => [...reader.events({ after: seq - 1, upTo: seq })]) ?? [];
    if (event === undefined) return { lines: ['It is not on record any more.'] };
    return { lines: event.body === null ? ['Its body was erased.'] : layoutJson(event.body, COLUMNS) };
  }

  /** Everything that servers declare, what is trusted of it, what has changed and what was found. */
  async servers(): Promise<ServersResult> {
    const { reader } = await openRegistry(this.#config);
    if (reader === undefined) return { entries: [], leftOff: 0 };
    try {
      this.#entries = [
        ...listEntries(reader, { kind: 'server' }),
        ...listEntries(reader, {}).filter(({ kind }) => kind !== 'server'),
      ];
      const entries = this.#entries.slice(0, MOST_ENTRIES).map((entry, key) => {
        const { status, detections, approvedBy } = entry;
        const texts = status === 'changed' ? readEntry(reader, entry) : undefined;
        const changes = texts === undefined ? [] : (entryChanges(texts) ?? []).slice(0, MOST_CHANGES);
        return {
          server: shown(entry.server),
          kind: entry.kind,
          name: shown(entry.name),
          label: entryLabel(entry),
          status,
          isListed: entry.isListed,
          firstSeen: entry.firstSeen,
          changedAt: entry.changedAt,
          ...(approvedBy === undefined ? {} : { approvedBy: shown(approvedBy) }),
          findings: (detections?.detections ?? [])
            .slice(0, MOST_CHANGES)
            .map(({ severity, rule, field, description, matches: [match] }) => ({
              severity,
              rule: visible(rule),
              field: shown(field),
              description: visible(description),
              text: shown(match?.context || (match?.text ?? '')),
            })),
          changes: changes.map(({ field, previous, next }) => ({
            field: shown(field),
            ...(previous === undefined ? {} : { previous: visible(previous) }),
            ...(next === undefined ? {} : { next: visible(next) }),
          })),
          command: commandFor(entry),
          key,
        };
      });
      return { entries, leftOff: this.#entries.length - entries.length };
    } finally {
      reader.close();
    }
  }

  /** A definition in full, as `clawai mcp registry show` prints it. */
  async definition(asked: URLSearchParams): Promise<EventDetails> {
    const entry = this.#entries[Number(asked.get('key'))];
    const { reader } = await openRegistry(this.#config);
    try {
      const found = entry === undefined || reader === undefined ? undefined : readEntry(reader, entry);
      return {
        lines: found === undefined ? ['It is not known any more.'] : describeInFull(found, { width: COLUMNS, now: Date.now() }),
      };
    } finally {
      reader?.close();
    }
  }

  sessions(): SessionsResult {
    const activity = openActivityReader(this.#file, CALL_TYPES);
    try {
      const sessions = activity?.sessions() ?? [];
      return { sessions: sessions.map((each) => ({ ...each, session: shown(each.session), key: each.session })) };
    } finally {
      activity?.close();
    }
  }

  /** The newest calls of a session, the flows that were found between them, and its report. */
  session(asked: URLSearchParams): SessionResult {
    const session = asked.get('session') ?? '';
    const found = this.#read((reader): SessionResult => {
      const calls = [...reader.newest({ types: CALL_TYPES, session }, MOST_CALLS + 1)];
      const newest = [...reader.newest({ session }, MOST_REPORTED)];
      const report = formatReport(summarise(newest, { session }), { width: COLUMNS, colour: false, now: Date.now() });
      return {
        calls: calls.slice(-MOST_CALLS).map(toWireEvent),
        hasMore: calls.length > MOST_CALLS,
        flows: toChains(newest).slice(-MOST_CALLS).map(toFlow),
        report: report.trimEnd().split('\n').map(visible),
      };
    });
    return found ?? { calls: [], hasMore: false, flows: [], report: [] };
  }

  /** Calls of each server in each of the last sixty minutes. */
  rates(): RatesResult {
    const minute = Math.floor(Date.now() / MINUTE);
    const activity = openActivityReader(this.#file, CALL_TYPES);
    try {
      const counts = activity?.minutes((minute - 59) * MINUTE) ?? [];
      const servers = [...Map.groupBy(counts, ({ server }) => server)].map(([server, each]) => {
        const row = (of: 'allowed' | 'denied'): number[] => {
          const numbers = Array.from({ length: 60 }, () => 0);
          for (const count of each) numbers[count.minute - minute + 59] = count[of];
          return numbers.slice(0, 60);
        };
        return { server: shown(server), allowed: row('allowed'), denied: row('denied') };
      });
      return { minute, servers: servers.slice(0, MOST_EVENTS) };
    } finally {
      activity?.close();
    }
  }

  #read<T>(read: (reader: StoreReader) => T): T | undefined {
    const reader = openStoreReader(this.#file);
    try {
      return reader === undefined ? undefined : read(reader);
    } finally {
      reader?.close();
    }
  }
}

/** Outcomes of calls that did not go on. */
const STOPPED: readonly Outcome[] = ['denied', 'refused', 'unanswered'];

function toFlow(chain: Chain): WireFlow {
  const { source, related_calls: related, call_id: to, outcome } = chain;
  const from = source === null ? related.map((call) => call.call_id) : [source.call_id];
  return {
    from: from.map((id) => shown(shortId(id))),
    to: shown(shortId(to)),
    outcome: OUTCOMES[outcome],
    isStopped: STOPPED.includes(outcome),
    source: visible(sourceWords(chain)),
    sink: visible(sinkWords(chain, Date.now())),
    why: visible(whyWords({ ...chain, count: 1 })),
  };
}

function withoutUndefined(query: EventQuery): EventQuery {
  return Object.fromEntries(Object.entries(query).filter(([, value]) => value !== undefined));
}
