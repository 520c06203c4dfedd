import { spawn } from 'node:child_process';
import type { Question } from '../gate/question-port.ts';
import { findProgram } from './find-program.ts';

/** Milliseconds: between two notifications, and after which a notifier that hangs is ended. */
const INTERVAL_MS = 5000;
const PATIENCE_MS = 5000;

/** Characters of a name that are shown. */
const MOST_NAME = 60;

const TITLE = 'clawai: approval needed';

/** The words behind each program that shows a notification; none of them is ever read as an option, a script or markup. */
const NOTIFIERS: ReadonlyMap<string, (body: string) => readonly string[]> = new Map([
  ['notify-send', (body) => ['--app-name=clawai', '--urgency=critical', '--expire-time=30000', '--', TITLE, body]],
  [
    'osascript',
    (body) => [
      ...['on run words', 'display notification (item 1 of words) with title (item 2 of words)', 'end run'].flatMap((line) => [
        '-e',
        line,
      ]),
      '--',
      body,
      TITLE,
    ],
  ],
]);

export interface DesktopOptions {
  /** Of this process: PATH, and what the notifier needs to find the desktop. */
  readonly env: NodeJS.ProcessEnv;
  /** On a clock that never jumps, in milliseconds. */
  readonly elapsed: () => number;
}

/**
 * A function that points a person at the desktop to a question, where the system has a command for that; at most every few seconds.
 * It never throws, waits for nothing, and what becomes of the notification does not matter.
 */
export function createDesktopNotifier({ env, elapsed }: DesktopOptions): (question: Question) => void {
  let found: { readonly program: string; readonly words: (body: string) => readonly string[] } | null | undefined;
  let last = Number.NEGATIVE_INFINITY;
  return (question) => {
    try {
      if (found === undefined) found = findNotifier(env['PATH'] ?? '');
      if (found === null || elapsed() - last < INTERVAL_MS) return;
      last = elapsed();
      const child = spawn(found.program, found.words(notificationText(question)), {
        env,
        stdio: 'ignore',
        detached: true,
        timeout: PATIENCE_MS,
        cwd: '/',
      });
      child.on('error', () => {});
      child.unref();
    } catch {
      // The question waits all the same.
    }
  };
}

/** What a notification says. Names come from peers: all but plain characters are left out, since desktops read markup in them. */
export function notificationText({ id, server, tool, resource, prompt, method }: Question): string {
  const subject = tool ?? resource ?? prompt ?? method;
  return `${plain(server)}: ${plain(subject)}. To answer, run clawai approvals (request ${id}).`;
}

function plain(name: string): string {
  const shown = name.slice(0, MOST_NAME).replaceAll(/[^A-Za-z0-9 _.:/@-]/g, '?');
  return name.length > MOST_NAME ? `${shown}...` : shown;
}

function findNotifier(path: string): { readonly program: string; readonly words: (body: string) => readonly string[] } | null {
  for (const [name, words] of NOTIFIERS) {
    const program = findProgram(name, path);
    if (program !== undefined) return { program, words };
  }
  return null;
}
