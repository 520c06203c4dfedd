import type { EventDetails, ServersResult, WireEntry } from '../wire.ts';
import { Badge, count, Dialog, Lines, Severity, Time, View } from './parts.tsx';
import { useState } from './preact.ts';
import { useView } from './requests.ts';

const TONES = { pinned: 'good', changed: 'bad', new: 'attention' } as const;

/** Shows the definitions of each server: which are trusted, how they changed, and what was found in them. */
export function Servers() {
  const loaded = useView<ServersResult>('servers');
  const [words, setWords] = useState('');
  const [opened, setOpened] = useState<WireEntry>();
  return (
    <section aria-labelledby="servers-title">
      <h1 id="servers-title">Servers</h1>
      <View loaded={loaded}>
        {({ entries, leftOff }) => {
          const found = entries.filter(({ label, status }) => `${label} ${status}`.toLowerCase().includes(words.toLowerCase()));
          return (
            <>
              <form class="bar" role="search" onSubmit={(event) => event.preventDefault()}>
                <input
                  type="search"
                  aria-label="Show definitions with these words"
                  placeholder="Filter: name, changed, new"
                  value={words}
                  onInput={({ currentTarget }) => setWords(currentTarget.value)}
                />
              </form>
              {entries.length === 0 && <p class="quiet">No server has listed anything yet.</p>}
              {[...Map.groupBy(found, ({ server }) => server)].map(([server, each]) => (
                <Server key={server} server={server} entries={each} open={setOpened} />
              ))}
              {leftOff > 0 && <p class="quiet">{count(leftOff, 'more definition')}: clawai mcp registry list</p>}
            </>
          );
        }}
      </View>
      {opened !== undefined && <Definition entry={opened} onClose={() => setOpened(undefined)} />}
    </section>
  );
}

function Server({ server, entries, open }: { server: string; entries: readonly WireEntry[]; open: (entry: WireEntry) => void }) {
  // Changes come first, since a person has to look at them.
  const weight = ({ status, findings }: WireEntry): number =>
    status === 'changed' ? 2 : status === 'new' || findings.length > 0 ? 1 : 0;
  const sorted = entries.toSorted((one, other) => weight(other) - weight(one));
  const changed = entries.filter(({ status }) => status === 'changed').length;
  return (
    <details class="card" open={entries.some((entry) => weight(entry) > 0) || entries.length < 8}>
      <summary>
        <h2>{server}</h2> <span class="quiet">{count(entries.length, 'definition')}</span>{' '}
        {changed > 0 && <Badge text={`${changed} changed`} tone="bad" />}
      </summary>
      <ul class="entries">
        {sorted.map((entry) => (
          <li key={entry.key}>
            <p>
              <Badge text={entry.status} tone={TONES[entry.status]} />{' '}
              <button type="button" class="link" onClick={() => open(entry)}>
                {entry.kind} {entry.name}
              </button>{' '}
              {!entry.isListed && <span class="quiet">not listed any more</span>}{' '}
              <span class="quiet">
                since <Time time={entry.changedAt} />
                {entry.approvedBy !== undefined && `, approved by ${entry.approvedBy}`}
              </span>
            </p>
            {entry.findings.map((finding, at) => (
              <p key={at}>
                <Severity severity={finding.severity} /> <b>{finding.rule}</b> in {finding.field}: {finding.description}{' '}
                {finding.text !== '' && <q>{finding.text}</q>}
              </p>
            ))}
            {entry.changes.map(({ field, previous, next }, at) => (
              <div key={at}>
                <code>{field}</code>
                <Lines
                  label={`Change of ${field}`}
                  isDiff
                  lines={[...(previous === undefined ? [] : [`- ${previous}`]), ...(next === undefined ? [] : [`+ ${next}`])]}
                />
              </div>
            ))}
            {entry.status !== 'pinned' && (
              <p class="quiet">
                To trust it: <code>{entry.command}</code>
              </p>
            )}
          </li>
        ))}
      </ul>
    </details>
  );
}

function Definition({ entry, onClose }: { readonly entry: WireEntry; readonly onClose: () => void }) {
  const loaded = useView<EventDetails>('definition', { key: String(entry.key) });
  return (
    <Dialog title={entry.label} onClose={onClose}>
      <View loaded={loaded}>{({ lines }) => <Lines lines={lines} label="The definition in full" />}</View>
    </Dialog>
  );
}
