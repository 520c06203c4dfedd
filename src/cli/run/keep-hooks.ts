import { HOOK_PLACES } from '../../clients/hook-places.ts';
import type { Machine } from '../../host/directories.ts';
import { hookLauncher, hookProgram } from '../../wrap/hooks/hook-program.ts';
import { HookRecords } from '../../wrap/hooks/hook-records.ts';
import { hooksFolder } from '../machine/own-paths.ts';
import { agentOf } from './program-of.ts';
import { programPlace } from './program-place.ts';

const CLIENT = 'claude-code';

/** Options by which Claude Code reads other settings, or no hooks at all. */
const ELSEWHERE = /^--(?:settings|setting-sources|bare)(?:=|$)/;

/**
 * Adds to a command that starts Claude Code the setting that keeps its hooks on, whatever a project says, if clawai is its hook. Settings of
 * the command line count more than those of files.
 *
 * @param warn told why it can't be added
 */
export function keepHooks(words: readonly string[], machine: Machine, warn: (line: string) => void): readonly string[] {
  const at = programPlace(words);
  if (at === undefined || agentOf(words[at] ?? '') !== 'claude') return words;
  if (!new HookRecords(hooksFolder(machine)).list().some(({ client }) => client === CLIENT)) return words;
  const place = HOOK_PLACES.find(({ client }) => client === CLIENT);
  if (place?.form.kind !== 'list') return words;
  const other = words.slice(at + 1).find((word) => ELSEWHERE.test(word));
  if (other !== undefined) {
    warn(`Claude Code is started with ${other}: clawai cannot keep its hook on, so settings may switch it off`);
    return words;
  }
  const entry = place.form.entry(hookProgram(hookLauncher(), CLIENT, machine.env));
  const settings = { disableAllHooks: false, hooks: Object.fromEntries(place.form.events.map((event) => [event, [entry]])) };
  return [...words.slice(0, at + 1), '--settings', JSON.stringify(settings), ...words.slice(at + 1)];
}
