import { Clients } from './clients.tsx';
import { Live } from './live.tsx';
import { Dialog, useKeys } from './parts.tsx';
import { Policy } from './policy.tsx';
import { render, useEffect, useState } from './preact.ts';
import { Questions } from './questions.tsx';
import { type Live as Feed, useFeed } from './requests.ts';
import { Servers } from './servers.tsx';
import { Sessions } from './sessions.tsx';

const VIEWS = ['live', 'questions', 'servers', 'sessions', 'policy', 'clients'] as const;
type Name = (typeof VIEWS)[number];

const TITLES: Readonly<Record<Name, string>> = {
  live: 'Live',
  questions: 'Questions',
  servers: 'Servers',
  sessions: 'Sessions',
  policy: 'Policy',
  clients: 'Clients',
};

const STATES: Readonly<Record<Feed['state'], string>> = {
  connecting: 'connecting…',
  live: 'live',
  lost: 'connection lost, trying again',
  over: 'not running: run clawai dashboard again',
};

const KEYS: readonly (readonly [key: string, effect: string])[] = [
  ['1 … 6', 'show another view'],
  ['/', 'Live: go to the filter'],
  ['p', 'Live: hold still, or go on'],
  ['j, k', 'Questions: the next one, the one before'],
  ['a', 'Questions: allow once'],
  ['s', 'Questions: allow for the session'],
  ['w', 'Questions: always; shows the rule first'],
  ['d', 'Questions: deny'],
  ['?', 'this help; Escape closes it'],
];

function Page() {
  const live = useFeed();
  const [name, setName] = useState(nameOf(location.hash));
  const [isHelp, setHelp] = useState(false);
  const waiting = live.questions.length;
  useEffect(() => {
    const follow = (): void => setName(nameOf(location.hash));
    addEventListener('hashchange', follow);
    return () => removeEventListener('hashchange', follow);
  }, []);
  useEffect(() => {
    document.title = `${waiting === 0 ? '' : `(${waiting}) `}${TITLES[name]} – clawai`;
  }, [waiting, name]);
  useKeys((key) => {
    const view = VIEWS[Number(key) - 1];
    if (view !== undefined) location.hash = view;
    else if (key === '?') setHelp(true);
  });
  return (
    <>
      <header class="top">
        <b class="brand">clawai</b>
        <nav aria-label="Views">
          {VIEWS.map((view) => (
            <a key={view} href={`#${view}`} aria-current={view === name ? 'page' : undefined}>
              {TITLES[view]}
              {view === 'questions' && waiting > 0 && <span class="badge attention">{waiting}</span>}
            </a>
          ))}
        </nav>
        <span class={`state ${live.state}`} role="status">
          {STATES[live.state]}
        </span>
        <button type="button" onClick={() => setHelp(true)} aria-label="Keys">
          ?
        </button>
      </header>
      {waiting > 0 && name !== 'questions' && (
        <p class="waiting" role="status">
          {waiting === 1 ? 'A call waits' : `${waiting} calls wait`} for you: <a href="#questions">answer</a>
        </p>
      )}
      <main>
        {name === 'live' && <Live live={live} />}
        {name === 'questions' && <Questions live={live} />}
        {name === 'servers' && <Servers />}
        {name === 'sessions' && <Sessions />}
        {name === 'policy' && <Policy />}
        {name === 'clients' && <Clients />}
      </main>
      {isHelp && (
        <Dialog title="Keys" onClose={() => setHelp(false)}>
          <dl>
            {KEYS.map(([key, effect]) => (
              <div key={key}>
                <dt>
                  <kbd>{key}</kbd>
                </dt>
                <dd>{effect}</dd>
              </div>
            ))}
          </dl>
        </Dialog>
      )}
    </>
  );
}

function nameOf(hash: string): Name {
  return VIEWS.find((view) => `#${view}` === hash) ?? 'live';
}

const root = document.getElementById('page');
if (root !== null) render(<Page />, root);
