import { statSync } from 'node:fs';
import { homedir } from 'node:os';
import { createInterface } from 'node:readline';
import { setTimeout } from 'node:timers/promises';
import { ClawaiError } from '../../errors.ts';
import { findAgent, findAgentMark } from '../../session/find-agent.ts';
import { readByPs, readLinuxProcess } from '../../session/processes.ts';
import { SETTLE_MS } from '../approvals/view-state.ts';
import { printable } from './text.ts';

/**
 * Refuses where nobody can be sure that a person is at the other end: stdin or stdout is no terminal, or an agent has started us. An agent
 * that means to can still make itself a terminal and a process without parents; this stops those that only try.
 *
 * @param command as it was typed
 * @throws ClawaiError `person_required`
 */
export function requirePerson(command: string): void {
  const { stdin, stdout } = process;
  const stream = !stdin.isTTY ? 'stdin' : !stdout.isTTY ? 'stdout' : undefined;
  if (stream !== undefined) {
    throw refusal(command, `and ${stream} is no terminal`, 'run it by hand, in a terminal of your own');
  }
  refuseAgents(command);
}

/** Tells whether `requirePerson` lets the command go on. */
export function isPersonHere(command: string): boolean {
  try {
    requirePerson(command);
    return true;
  } catch (error) {
    if (error instanceof ClawaiError) return false;
    throw error;
  }
}

/**
 * Stands in for a terminal: an administrator's script, which no agent has started, becomes the user to whom the home belongs. Nobody but root
 * can, so that an agent that runs as a user has no part in it.
 *
 * @throws ClawaiError `person_required`
 */
export function requireRoot(command: string): void {
  refuseAgents(command);
  const { getuid, setgroups, setgid, setuid } = process;
  if (getuid === undefined || setgroups === undefined || setgid === undefined || setuid === undefined || getuid() !== 0) {
    throw refusal(command, 'and --no-terminal is for root alone', 'run it by hand, in a terminal of your own');
  }
  const home = homedir();
  const owner = statSync(home, { throwIfNoEntry: false });
  if (owner === undefined) throw refusal(command, `and there is no ${home}`, 'give HOME of the user whose configs are meant');
  if (owner.uid === 0) return;
  setgroups([owner.gid]);
  setgid(owner.gid);
  setuid(owner.uid);
}

/**
 * Refuses where an agent has started us. Without a terminal it does: scripts of people run such commands too.
 *
 * @param command as it was typed
 * @throws ClawaiError `person_required`
 */
export function refuseAgents(command: string): void {
  const { env, platform, ppid } = process;
  const mark = findAgentMark(env);
  if (mark !== undefined) {
    const hint = `run it by hand, in a terminal that no agent has opened; there ${mark} is not set`;
    throw refusal(command, `and an agent has started it (${mark} is set)`, hint);
  }
  // Windows tells nothing about processes without code of its own.
  if (platform === 'win32') return;
  const agent = findAgent(ppid, platform === 'linux' ? readLinuxProcess : readByPs());
  if (agent === undefined) return;
  const name = printable((agent.words[0] ?? agent.name).slice(0, 100));
  const hint = 'run it by hand, in a terminal that no agent has opened';
  throw refusal(command, `and an agent has started it (${name}, pid ${agent.pid})`, hint);
}

function refusal(command: string, why: string, hint: string): ClawaiError {
  return new ClawaiError(`clawai ${command} is for a person, ${why}`, { code: 'person_required', hint });
}

/** Keys that end a command, or its input, in raw mode: Ctrl-C and Ctrl-D. An end of the input before raw mode is a zero on Linux. */
const LEAVING = /[\u0000\u0003\u0004]/;

/**
 * Asks the person at our terminal about what was just printed. What was typed before that could be read is thrown away, so that nothing
 * is answered unread.
 *
 * @returns whether the answer is yes; the end of the input is none
 */
export async function askYes(question: string): Promise<boolean> {
  return (await askKey(question, ['y'])) === 'y';
}

/** Asks likewise, with several answers but no. @returns undefined for any answer that is not among them */
export async function askKey(question: string, answers: readonly string[]): Promise<string | undefined> {
  if (!(await dropTyped())) return undefined;
  return new Promise((resolve) => {
    const terminal = createInterface({ input: process.stdin, output: process.stdout });
    let isAnswered = false;
    terminal.once('close', () => {
      // The end of the input and Ctrl-C count as no, and end no line.
      if (!isAnswered) process.stdout.write('\n');
      resolve(undefined);
    });
    terminal.question(`${question} [y/N] `, (answer) => {
      const typed = answer.trim().toLowerCase();
      resolve(answers.includes(typed) ? typed : undefined);
      isAnswered = true;
      terminal.close();
    });
  });
}

/** Throws away what is typed for a moment. @returns false where the person wants to leave, or has gone */
async function dropTyped(): Promise<boolean> {
  const { stdin } = process;
  let isLeaving = false;
  const drop = (chunk: Buffer): void => {
    isLeaving ||= LEAVING.test(chunk.toString('latin1'));
  };
  const leave = (): void => {
    isLeaving = true;
  };
  // Otherwise a line that was begun stays where it can't be thrown away.
  stdin.setRawMode(true);
  stdin.on('data', drop).on('end', leave).on('error', leave);
  await setTimeout(SETTLE_MS);
  stdin.off('data', drop).off('end', leave).off('error', leave);
  stdin.pause();
  stdin.setRawMode(false);
  return !isLeaving;
}
