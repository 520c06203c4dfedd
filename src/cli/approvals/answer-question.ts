import { readlinkSync } from 'node:fs';
import { userInfo } from 'node:os';
import { setTimeout } from 'node:timers/promises';
import type { AnswerOutcome, GivenAnswer, Question, QuestionStatus, QuestionStore } from '../../gate/ports/approval-port.ts';
import { isGone } from '../../session/asker.ts';
import { formatAgo } from '../terminal/layout.ts';
import { subjectText } from './question-text.ts';
import { visible } from '../terminal/text.ts';

/**
 * Milliseconds that a yes for the session counts at most. It ends with the client, whose every run is a session of its own, and after half
 * an hour in which nothing happened; but a session that somebody named may go on for ever.
 */
const SESSION_MS = 12 * 60 * 60 * 1000;

/** Milliseconds of retries for a store that others hold. */
const PATIENCE_MS = 2000;
const PAUSE_MS = 10;

export interface Answered {
  /** The answer is the one that counts. */
  readonly isTaken: boolean;
  /** The message for the person. */
  readonly text: string;
}

/** Gives an answer, as the first or too late. Throws ClawaiError `store_*`. */
export async function answerQuestion(store: QuestionStore, id: string, answer: GivenAnswer): Promise<Answered> {
  const question = await patiently(() => store.find(id));
  if (question === null) return { isTaken: false, text: `there is no request ${id}` };
  if (question.state === 'waiting' && isGone(question.asker)) {
    await patiently(() => store.end([id], 'withdrawn', Date.now()));
    return { isTaken: false, text: `${id}: the process that asked has ended, so the call was never made` };
  }
  if (answer.remember === 'session' && !question.canRemember) {
    return { isTaken: false, text: `${id}: what it sends is not known, so it can only be allowed once` };
  }
  const outcome = await patiently(() => {
    // Anew each time: while others kept the store, the question may have come to its end.
    const now = Date.now();
    return store.answer(id, answer, { now, grantedUntil: now + SESSION_MS });
  });
  return { isTaken: outcome.kind === 'taken', text: describeOutcome(question, outcome, answer) };
}

/** Ids of questions whose asking process has ended without a word. Each process is looked at once. */
export function goneOf(questions: readonly Question[]): readonly string[] {
  const known = new Map<string, boolean>();
  return questions
    .filter(({ asker }) => {
      const key = `${asker.pid} ${asker.started}`;
      const isOver = known.get(key) ?? isGone(asker);
      known.set(key, isOver);
      return isOver;
    })
    .map(({ id }) => id);
}

/** Calls something of the store until it is free. Throws ClawaiError `store_*`, or after a while. */
export async function patiently<T>(attempt: () => T | undefined): Promise<T> {
  const started = performance.now();
  for (;;) {
    const result = attempt();
    if (result !== undefined) return result;
    if (performance.now() - started > PATIENCE_MS) throw new Error('other processes have kept the store to themselves');
    await setTimeout(PAUSE_MS);
  }
}

/** The person who answers here, for the record: user, terminal, process. @param place where, if it is not our terminal */
export function describePerson(place = terminalName()): string {
  return `${userName()} on ${place} (pid ${process.pid})`;
}

function describeOutcome(question: Question, outcome: AnswerOutcome, answer: GivenAnswer): string {
  const what = `${visible(question.server)} ${subjectText(question)}`;
  if (outcome.kind === 'unknown') return `there is no request ${question.id}`;
  if (outcome.kind === 'late') return `${question.id}: ${describeEnd(outcome.status)}`;
  if (answer.state === 'refused') return `${question.id}: denied ${what}`;
  const scope = { once: 'once', session: 'for calls just like it in this session', always: 'always' }[answer.remember];
  return `${question.id}: allowed ${scope}: ${what}`;
}

function describeEnd({ state, by, answeredAt }: QuestionStatus): string {
  const when = answeredAt === undefined ? '' : `, ${formatAgo(answeredAt, Date.now())}`;
  const who = by === undefined ? '' : ` by ${visible(by)}`;
  if (state === 'granted') return `it was allowed already${who}${when}`;
  if (state === 'refused') return `it was denied already${who}${when}`;
  if (state === 'expired')
    return `nobody answered in time, so the call was denied${when}; ask the agent to make it again, then answer sooner`;
  return `nobody waits for an answer any more: the call was taken back${when}`;
}

function userName(): string {
  try {
    return userInfo().username;
  } catch {
    // An id without a name, as in containers.
    return `uid ${process.getuid?.() ?? '?'}`;
  }
}

function terminalName(): string {
  try {
    return readlinkSync('/proc/self/fd/0');
  } catch {
    // The name is known on Linux alone.
    return 'a terminal';
  }
}
