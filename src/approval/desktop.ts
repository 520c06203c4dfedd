import type { Question, Refused } from '../gate/ports/approval-port.ts';
import { findProgram } from './find-program.ts';

/** Milliseconds: between two notifications, and before a hanging notifier is killed. */
const INTERVAL_MS = 5000;
const PATIENCE_MS = 5000;

/** Most characters of a name that are shown. */
const MOST_NAME = 60;

/** Most characters of a reason. */
const MOST_SENTENCE = 240;

/** The text of a notification. */
export interface DesktopNotice {
  readonly title: string;
  readonly body: string;
}

/** The arguments of each program that shows a notification; the notice's texts can't be read as an option, a script or markup. */
const NOTIFIERS: ReadonlyMap<string, (notice: DesktopNotice) => readonly string[]> = new Map([
  ['notify-send', ({ title, body }) => ['--app-name=clawai', '--urgency=critical', '--expire-time=30000', '--', title, body]],
  [
    'osascript',
    ({ title, body }) => [
      ...['on run words', 'display notification (item 1 of words) with title (item 2 of words)', 'end run'].flatMap((line) => [
        '-e',
        line,
      ]),
      '--',
      body,
      title,
    ],
  ],
]);

export interface DesktopOptions {
  /** This process's environment: PATH, and what the notifier needs to find the desktop. */
  readonly env: NodeJS.ProcessEnv;
  /** A monotonic clock, in milliseconds. */
  readonly elapsed: () => number;
}

/**
 * Creates a function that shows a person a notice on the desktop, if the system has a command for that; at most every few seconds. It never
 * throws or waits, and the outcome of the notification does not matter.
 */
export function createDesktopNotifier({ env, elapsed }: DesktopOptions): (notice: DesktopNotice) => void {
  let found: Notifier | null | undefined;
  let last = Number.NEGATIVE_INFINITY;
  return (notice) => {
    try {
      if (found === undefined) found = findNotifier(env['PATH'] ?? '');
      if (found === null || elapsed() - last < INTERVAL_MS) return;
      last = elapsed();
      void start(found.program, found.words(notice), env);
    } catch {
      // The person can still run a command to see the subject.
    }
  };
}

/** Starts the program in the background; nothing depends on it. */
async function start(program: string, words: readonly string[], env: NodeJS.ProcessEnv): Promise<void> {
  const { startProgram } = await import('../host/start-program.ts');
  startProgram(program, words, { env, stdio: 'ignore', detached: true, timeout: PATIENCE_MS, cwd: '/' }).unref();
}

/** Describes a question. Names come from peers: all but plain characters are replaced, since desktops interpret markup. */
export function questionNotice({ id, server, tool, resource, prompt, method, rule, description }: Question): DesktopNotice {
  const subject = tool ?? resource ?? prompt ?? method;
  // A guard's reason is about this very call, and a rule's is what its policy's user has written.
  const why = rule === undefined && description !== undefined ? ` ${sentence(description)}.` : '';
  const body = `${plain(server)}: ${plain(subject)}.${why} To answer, run clawai approvals (request ${id}).`;
  return { title: 'clawai: approval needed', body };
}

const REASONS = {
  changed: 'changed since it was trusted',
  new: 'was never approved',
  found: 'may mislead a model',
} as const satisfies Record<Refused['why'], string>;

const NAMELESS: Readonly<Partial<Record<Refused['kind'], string>>> = {
  server: 'the way in which it is started',
  instructions: 'what it tells the model',
};

/** Describes what a server declares and is refused. A refused launch is named first, as it matters most. */
export function refusalNotice(refused: readonly [Refused, ...Refused[]]): DesktopNotice {
  const [first] = refused;
  const { server, kind, name, why, action } = refused.find((each) => each.kind === 'server') ?? first;
  const what = NAMELESS[kind] ?? plain(name);
  const others = refused.length === 1 ? '' : ` and ${refused.length - 1} more`;
  const became = action === 'hide' ? 'hidden from the model' : 'denied';
  const body = `${plain(server)}: ${what} ${REASONS[why]}${others}, so it is ${became}. To look, run clawai status.`;
  return { title: 'clawai: blocked', body };
}

function plain(name: string): string {
  const shown = name.slice(0, MOST_NAME).replaceAll(/[^A-Za-z0-9 _.:/@-]/g, '?');
  return name.length > MOST_NAME ? `${shown}...` : shown;
}

/** A sentence of ours with names in quotes, which stay to be seen; those of markup and shells are replaced. */
function sentence(text: string): string {
  const shown = text.length > MOST_SENTENCE ? `${text.slice(0, MOST_SENTENCE)}…` : text;
  return shown.replaceAll(/"((?:[^"\\]|\\.)*)"/g, '“$1”').replaceAll(/[^A-Za-z0-9 _.:/@,()“”…-]/g, '?');
}

interface Notifier {
  readonly program: string;
  readonly words: (notice: DesktopNotice) => readonly string[];
}

function findNotifier(path: string): Notifier | null {
  for (const [name, words] of NOTIFIERS) {
    const program = findProgram(name, path);
    if (program !== undefined) return { program, words };
  }
  return null;
}
