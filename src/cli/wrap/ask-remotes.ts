import { ClawaiError } from '../../errors.ts';
import { loginCommand } from '../../remote/login/login-command.ts';
import { rememberLeft } from '../../remote/remote-state.ts';
import { type AnswerTo, type RemoteAnswer, type RemoteQuestion, toLeft } from '../../wrap/remote-answer.ts';
import { remoteQuestions, type WrapRequest } from '../../wrap/wrap.ts';
import { withProgress } from '../terminal/notes.ts';
import { askYes } from '../terminal/person.ts';
import { printable } from '../terminal/text.ts';

/** Milliseconds for all servers together, which are asked at once. */
const PATIENCE_MS = 2000;

interface RemoteAnswers {
  readonly answerTo: AnswerTo;
  /** The URLs of the servers that clawai is to log in to. */
  readonly managed: ReadonlySet<string>;
  /** Lets `clawai status` know it without asking. @returns why that could not be written, a sentence; undefined where it was */
  readonly remember: (stateDir: string) => string | undefined;
}

export interface LoginChoice {
  /** True if clawai is to log in to servers that want a login; otherwise their clients do. */
  readonly isWanted: boolean;
  /** True if a person can be asked about that, and can log in afterwards. */
  readonly isPersonHere: boolean;
}

/** Asks each remote server that would be wrapped whether it works then: each with what its entry sends, and at its own URL alone. */
export async function askRemotes(request: WrapRequest, login: LoginChoice): Promise<RemoteAnswers> {
  const questions = remoteQuestions(request);
  const signal = AbortSignal.timeout(PATIENCE_MS);
  const asked = new Map<string, Promise<RemoteAnswer>>();
  for (const question of questions) {
    const key = keyOf(question);
    // Several clients may have the same entry.
    if (!asked.has(key)) asked.set(key, ask(question, request.version, signal));
  }
  const all = Promise.all([...asked].map(async ([key, answer]) => [key, await answer] as const));
  const answers = new Map(await withProgress('asking remote servers', all));
  const wanting = questions.filter((question) => answers.get(keyOf(question))?.kind === 'login');
  const isManaged =
    wanting.length > 0 &&
    (login.isWanted || (login.isPersonHere && (await askAbout([...new Set(wanting.map(({ server }) => server))]))));
  const answerTo: AnswerTo = (question) => {
    const answer = answers.get(keyOf(question));
    if (!isManaged || answer?.kind !== 'login') return answer;
    const note = login.isPersonHere ? undefined : `it wants a login: run \`${loginCommand(question.server)}\``;
    return { kind: 'managed', note };
  };
  return {
    answerTo,
    managed: isManaged ? new Set(wanting.map(({ url }) => url)) : new Set(),
    remember(stateDir) {
      try {
        rememberLeft(
          stateDir,
          questions,
          questions.flatMap((question) => toLeft(question, answerTo(question)) ?? []),
        );
        return undefined;
      } catch (error) {
        if (!(error instanceof ClawaiError)) throw error;
        return `\`clawai status\` will not know why servers were left alone: ${error.message}`;
      }
    },
  };
}

function askAbout(servers: readonly string[]): Promise<boolean> {
  const names = servers.map(printable).join(', ');
  process.stdout.write(
    `${names} ${servers.length === 1 ? 'wants' : 'want'} a login. clawai can log in instead of your clients: you log in once, in your browser, and ` +
      'neither clients nor agents see the token. Otherwise they stay as they are, without clawai.\n',
  );
  return askYes('Let clawai log in?');
}

async function ask({ url, headers }: RemoteQuestion, version: string, signal: AbortSignal): Promise<RemoteAnswer> {
  if (headers === undefined) {
    return { kind: 'unknown', why: 'it was not asked, since its client fills in headers that clawai does not know' };
  }
  const { probeRemote } = await import('../../transport/listing/probe-remote.ts');
  return probeRemote({ url, headers, version, signal });
}

function keyOf({ url, headers }: RemoteQuestion): string {
  return JSON.stringify([url, headers]);
}
