import { statSync } from 'node:fs';
import { homedir } from 'node:os';
import { ClawaiError } from '../../errors.ts';
import { findAgentMark } from '../../session/agents.ts';
import { findAgent } from '../../session/find-agent.ts';
import { readLinuxProcess } from '../../session/linux-processes.ts';
import { readByPs } from '../../session/ps-processes.ts';
import { printable } from './printable.ts';

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
