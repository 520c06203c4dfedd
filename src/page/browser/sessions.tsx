import { layOut } from '../flow-lanes.ts';
import type { SessionResult, SessionsResult, WireEvent, WireFlow } from '../wire.ts';
import { EventList } from './live.tsx';
import { Badge, count, Lines, Time, View } from './parts.tsx';
import { useMemo, useState } from './preact.ts';
import { useView } from './requests.ts';

const EVERY_MS = 10_000;

/** The sessions on record, and one of them with its calls. */
export function Sessions() {
  const loaded = useView<SessionsResult>('sessions', {}, EVERY_MS);
  const [chosen, setChosen] = useState<string>();
  return (
    <section aria-labelledby="sessions-title">
      <h1 id="sessions-title">Sessions</h1>
      <View loaded={loaded}>
        {({ sessions }) =>
          sessions.length === 0 ? (
            <p class="quiet">No call was recorded yet.</p>
          ) : (
            <>
              <ol class="sessions">
                {sessions.map(({ session, key, first, last, calls, denied, servers }) => (
                  <li key={key}>
                    <button
                      type="button"
                      class="row"
                      aria-expanded={key === chosen}
                      onClick={() => setChosen(key === chosen ? undefined : key)}
                    >
                      <b>{session}</b>
                      <span>
                        <Time time={first} /> – <Time time={last} />
                      </span>
                      <span>
                        {count(calls, 'call')}, {denied} denied, {count(servers, 'server')}
                      </span>
                    </button>
                    {key === chosen && <Session session={key} />}
                  </li>
                ))}
              </ol>
            </>
          )
        }
      </View>
    </section>
  );
}

function Session({ session }: { readonly session: string }) {
  const loaded = useView<SessionResult>('session', { session });
  return (
    <div class="card">
      <View loaded={loaded}>
        {({ calls, hasMore, flows, report }) => (
          <>
            {hasMore && <p class="quiet">These are the newest {calls.length} calls of the session.</p>}
            <Graph calls={calls} flows={flows} />
            <details>
              <summary>Report</summary>
              <Lines lines={report} label="Report of the session" />
            </details>
            <details>
              <summary>Timeline</summary>
              <EventList events={calls.toReversed()} />
            </details>
          </>
        )}
      </View>
    </div>
  );
}

/** Calls in the order in which they were made, by server, and what flowed from one to another. */
function Graph({ calls, flows }: { readonly calls: readonly WireEvent[]; readonly flows: readonly WireFlow[] }) {
  const { width, height, lanes, dots, arrows } = useMemo(() => layOut(calls, flows), [calls, flows]);
  const label = `${count(calls.length, 'call')} to ${count(lanes.length, 'server')}, ${count(flows.length, 'flow')} between them`;
  return (
    <>
      <div class="graph" tabIndex={0} role="region" aria-label={label}>
        <svg role="img" aria-label={label} width={width} height={height} viewBox={`0 0 ${width} ${height}`}>
          <defs>
            {['tip', 'stop'].map((id) => (
              <marker key={id} id={id} viewBox="0 0 8 8" refX="10" refY="4" markerWidth="7" markerHeight="7" orient="auto">
                <path d="M0 0 L8 4 L0 8 z" />
              </marker>
            ))}
          </defs>
          {lanes.map(({ server, y }) => (
            <g key={server}>
              <line class="lane" x1={0} x2={width} y1={y} y2={y} />
              <text x={4} y={y - 12}>
                {server}
              </text>
            </g>
          ))}
          {arrows.map(({ path, flow }, at) => (
            <path
              key={at}
              class={flow.isStopped ? 'flow block' : 'flow'}
              d={path}
              marker-end={flow.isStopped ? 'url(#stop)' : 'url(#tip)'}
            >
              <title>{`${flow.outcome}: ${flow.source} → ${flow.sink}`}</title>
            </path>
          ))}
          {dots.map(({ event, x, y, isDenied }) => (
            <g key={event.seq} class={isDenied ? 'dot denied' : 'dot allowed'}>
              <title>{`${event.server} ${event.subject ?? ''} ${isDenied ? 'denied' : 'allowed'}`}</title>
              {isDenied ? <rect x={x - 5} y={y - 5} width={10} height={10} /> : <circle cx={x} cy={y} r={5} />}
            </g>
          ))}
        </svg>
      </div>
      {flows.length > 0 && (
        <ul class="flows">
          {flows.map(({ outcome, isStopped, source, sink, why }, at) => (
            <li key={at}>
              <Badge text={outcome} tone={isStopped ? 'bad' : 'attention'} /> {source !== '' && `${source} → `}
              {sink} <span class="quiet">{why}</span>
            </li>
          ))}
        </ul>
      )}
    </>
  );
}
