import { homedir } from 'node:os';
import { createInterface } from 'node:readline';
import { loadConfig } from '../../config/config-file.ts';
import { EXIT } from '../../errors.ts';
import { SqliteQuestions } from '../../store/approval-store.ts';
import { storeFile } from '../../store/private-file.ts';
import { defineCommand } from '../command.ts';
import { openPage } from '../login/open-page.ts';
import { POLICY_FLAG } from '../machine/find-present-policy.ts';
import { STORE_FLAGS } from '../machine/open-store.ts';
import { begin } from '../serve/begin-listening.ts';
import { note, warn } from '../terminal/notes.ts';
import { requirePerson } from '../terminal/person.ts';
import { Answers } from './answers.ts';
import { Door } from './door.ts';
import { PageServer, type Views } from './page-server.ts';
import { explainForPage, readClientsView, readPolicyView } from './policy-views.ts';
import { RecordViews } from './record-views.ts';

/** Milliseconds that requests on their way get at the end. */
const GRACE = 200;
/** Faults that are printed, each once. */
const MOST_SAID = 100;

/** `clawai dashboard`: a page in the browser that shows what happens, and lets a person answer what waits. */
export const dashboardCommand = defineCommand({
  meta: {
    name: 'dashboard',
    description: 'Show in the browser what happens, and answer there what waits for you.',
    notes: [
      'The page is there for as long as the command runs, on this machine alone. It needs no network. Ctrl-C ends it.',
      'The address opens it once. Press Enter for another address. Whoever has the page open can answer for you.',
      'It is a process of its own, so that clawai proxy and clawai serve do not wait for it.',
    ],
    examples: ['clawai dashboard', 'clawai dashboard --no-open'],
  },
  args: {
    'no-open': { type: 'boolean', description: 'Print the address, and open no browser.' },
    policy: {
      ...POLICY_FLAG,
      description: 'The policy to show and to try. The default is the one that `clawai proxy` would use.',
    },
    ...STORE_FLAGS,
  },
  async run({ flags }) {
    requirePerson('dashboard');
    const { config, policy } = flags;
    const { stateDir, audit } = await loadConfig({
      flag: config,
      env: process.env,
      platform: process.platform,
      home: homedir(),
    });
    const file = storeFile(stateDir);
    const questions = new SqliteQuestions({ file, sync: audit.sync });
    const door = new Door();
    const place = { file, config, policy };
    const views = viewsOf({ record: new RecordViews(file, config), answers: new Answers(questions, stateDir), place });
    // A page that comes back again and again would have the same said each time.
    const said = new Set<string>();
    const sayOnce = (message: string): void => {
      if (said.size < MOST_SAID && !said.has(message)) warn(message);
      said.add(message);
    };
    const server = new PageServer({ door, views, feed: { file, questions, warn: sayOnce }, warn: sayOnce });
    const stopped = untilStopped();
    const listener = await begin({
      host: '127.0.0.1',
      port: 0,
      hosts: [],
      handle: (request, response, target) => server.handle(request, response, target),
      warn,
    });
    const address = (): string => `${listener.origin}/?token=${door.issue()}`;
    const first = address();
    process.stdout.write(`${first}\n`);
    const keys = createInterface({ input: process.stdin });
    keys.on('line', () => process.stdout.write(`${address()}\n`));
    if (!flags['no-open']) void openPage(new URL(first)).then((isOpened) => isOpened || note('no browser could be opened'));
    note('Enter prints another address; Ctrl-C ends the page');
    await stopped;
    keys.close();
    server.close();
    await listener.close(GRACE);
    questions.close();
    return EXIT.ok;
  },
});

interface Parts {
  readonly record: RecordViews;
  readonly answers: Answers;
  readonly place: Parameters<typeof readPolicyView>[0];
}

function viewsOf({ record, answers, place }: Parts): Views {
  return {
    get: {
      events: (query) => record.events(query),
      event: (query) => record.event(query),
      rates: () => record.rates(),
      servers: () => record.servers(),
      definition: (query) => record.definition(query),
      sessions: () => record.sessions(),
      session: (query) => record.session(query),
      policy: () => readPolicyView(place),
      clients: () => readClientsView(),
    },
    post: {
      answer: (body) => answers.answer(body),
      'always/show': (body) => answers.showAlways(body),
      always: (body) => answers.always(body),
      explain: (body) => explainForPage(body, place),
    },
  };
}

function untilStopped(): Promise<void> {
  return new Promise((resolve) => {
    for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.once(signal, () => resolve());
  });
}
