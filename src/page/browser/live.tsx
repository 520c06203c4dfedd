import { type Filter, isAskedFor } from '../keep-events.ts';
import type { EventDetails, EventPage, WireEvent } from '../wire.ts';
import { Action, Dialog, Lines, Severity, Time, useKeys, View } from './parts.tsx';
import { useMemo, useRef, useState } from './preact.ts';
import { Rates } from './rates.tsx';
import { get, type Live as Feed, messageOf, useView } from './requests.ts';

/** Rows that are drawn; the browser would take long for more. */
const MOST_ROWS = 200;

/** Calls and findings as they are recorded, newest first. */
export function Live({ live }: { readonly live: Feed }) {
  const [filter, setFilter] = useState<Filter>({ words: '', action: 'all' });
  const [held, setHeld] = useState<readonly WireEvent[]>();
  const [older, setOlder] = useState<readonly WireEvent[]>([]);
  const [note, setNote] = useState('');
  const field = useRef<HTMLInputElement>(null);
  const events = held ?? live.events;
  const all = older.length === 0 ? events : [...events.filter(({ seq }) => seq > (older[0]?.seq ?? 0)), ...older];
  const found = useMemo(() => all.filter((event) => isAskedFor(event, filter)), [all, filter]);
  const rows = older.length === 0 ? found.slice(0, MOST_ROWS) : found;
  useKeys((key, event) => {
    if (key === '/') {
      event.preventDefault();
      field.current?.focus();
    } else if (key === 'p') setHeld(held === undefined ? live.events : undefined);
  });
  const askOlder = async (): Promise<void> => {
    // The page stands still while a person reads back.
    setHeld(events);
    const last = rows.at(-1) ?? all.at(-1);
    const query = { ...(last === undefined ? {} : { before: String(last.seq) }), action: filter.action };
    try {
      const page = await get<EventPage>('events', query);
      setOlder(
        [
          ...rows.filter(({ seq }) => seq > (last?.seq ?? 0)),
          ...(last === undefined ? [] : [last]),
          ...page.events.toReversed(),
        ].slice(-MOST_ROWS * 5),
      );
      setNote(page.hasMore ? '' : 'This is all that is on record.');
    } catch (error) {
      setNote(messageOf(error));
    }
  };
  return (
    <section aria-labelledby="live-title">
      <h1 id="live-title">Live</h1>
      {/* The counts of an hour take a while, and the first events shall not wait for them. */}
      {live.state === 'live' && <Rates />}
      <form class="bar" role="search" onSubmit={(event) => event.preventDefault()}>
        <input
          ref={field}
          type="search"
          aria-label="Show events with these words"
          placeholder="Filter: words, -word"
          value={filter.words}
          onInput={({ currentTarget }) => setFilter({ ...filter, words: currentTarget.value })}
        />
        <select
          aria-label="Outcome"
          value={filter.action}
          onChange={({ currentTarget }) => setFilter({ ...filter, action: currentTarget.value as Filter['action'] })}
        >
          <option value="all">all</option>
          <option value="allow">allowed</option>
          <option value="block">denied</option>
        </select>
        <button
          type="button"
          aria-pressed={held !== undefined}
          onClick={() => {
            setHeld(held === undefined ? live.events : undefined);
            setOlder([]);
          }}
        >
          {held === undefined ? 'Pause' : 'Go on'}
        </button>
      </form>
      {live.isCut && <p class="quiet">More came than could be shown; older events are below.</p>}
      {rows.length === 0 && (
        <p class="quiet">{all.length === 0 ? 'Nothing was recorded yet.' : 'Nothing of the newest events matches.'}</p>
      )}
      <EventList events={rows} />
      <p class="bar">
        <button type="button" onClick={() => void askOlder()}>
          Older
        </button>
        <span class="quiet" aria-live="polite">
          {note}
        </span>
      </p>
    </section>
  );
}

/** Events, one a row; a row opens the event as it is on record. */
export function EventList({ events }: { readonly events: readonly WireEvent[] }) {
  const [opened, setOpened] = useState<WireEvent>();
  return (
    <>
      <ol class="events">
        {events.map((event) => (
          <li key={event.seq}>
            <button type="button" class="row" onClick={() => setOpened(event)}>
              <Time time={event.time} />
              <Action action={event.action} />
              <span class="what">
                <b>{event.server}</b> {event.subject ?? event.type.replace(/^mcp_/, '').replaceAll('_', ' ')}{' '}
                {event.args !== undefined && <code>{event.args}</code>}
              </span>
              <span class="why">
                {event.severity !== undefined && <Severity severity={event.severity} />}{' '}
                {event.by ?? event.reason ?? event.detail}
              </span>
            </button>
          </li>
        ))}
      </ol>
      {opened !== undefined && <EventDialog event={opened} onClose={() => setOpened(undefined)} />}
    </>
  );
}

function EventDialog({ event, onClose }: { readonly event: WireEvent; readonly onClose: () => void }) {
  const loaded = useView<EventDetails>('event', { seq: String(event.seq) });
  const facts = Object.entries({
    outcome: event.action,
    'decided by': event.by,
    reason: event.reason,
    session: event.session,
    'in the log': event.id === undefined ? undefined : `clawai log show ${event.id}`,
    took: event.latency,
    more: event.detail,
  }).filter(([, text]) => text !== undefined);
  return (
    <Dialog title={`${event.server} ${event.subject ?? event.type}`} onClose={onClose}>
      <dl>
        {facts.map(([name, text]) => (
          <div key={name}>
            <dt>{name}</dt>
            <dd>{text}</dd>
          </div>
        ))}
      </dl>
      <View loaded={loaded}>{({ lines }) => <Lines lines={lines} label="The event as it is on record" />}</View>
    </Dialog>
  );
}
