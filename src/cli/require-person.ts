import { ClawaiError } from '../errors.ts';
import { findAgent } from '../session/find-agent.ts';
import { readLinuxProcess } from '../session/linux-processes.ts';
import { readByPs } from '../session/ps-processes.ts';
import { printable } from './printable.ts';

/**
 * Refuses where nobody can be sure that a person is at the other end: stdin is no terminal, or an agent has started us. An agent that
 * means to can still make itself a terminal and a process without parents; this stops those that only try.
 *
 * @param command as it was typed
 * @throws ClawaiError `person_required`
 */
export function requirePerson(command: string): void {
  if (!process.stdin.isTTY) {
    throw new ClawaiError(`clawai ${command} is for a person, and stdin is no terminal`, {
      code: 'person_required',
      hint: 'run it by hand, in a terminal of your own',
    });
  }
  if (process.platform === 'win32') return;
  const agent = findAgent(process.ppid, process.platform === 'linux' ? readLinuxProcess : readByPs());
  if (agent === undefined) return;
  const name = printable((agent.words[0] ?? agent.name).slice(0, 100));
  throw new ClawaiError(`clawai ${command} is for a person, and an agent has started it (${name}, pid ${agent.pid})`, {
    code: 'person_required',
    hint: 'run it by hand, in a terminal that no agent has opened',
  });
}
