import { suggestName } from '../suggest.ts';
import { COMMANDS } from './command-table.ts';

/** Words of other programs, and names of flags, for what is called otherwise here. */
const ELSEWHERE: ReadonlyMap<string, string> = new Map([
  ['allow', 'approve'],
  ['audit', 'log'],
  ['block', 'deny'],
  ['calls', 'log --calls'],
  ['check', 'policy lint'],
  ['completions', 'completion'],
  ['denied', 'log --denied'],
  ['detections', 'log --detections'],
  ['events', 'log'],
  ['fixtures', 'policy test'],
  ['follow', 'log -f'],
  ['format', 'policy fmt'],
  ['history', 'log'],
  ['install', 'wrap'],
  ['list', 'status'],
  ['logs', 'log'],
  ['ls', 'status'],
  ['pending', 'approvals'],
  ['queue', 'approvals'],
  ['reject', 'deny'],
  ['scan', 'mcp inspect'],
  ['servers', 'status'],
  ['setup', 'init'],
  ['start', 'run'],
  ['tail', 'log -f'],
  ['trust', 'approve'],
  ['uninstall', 'unwrap'],
  ['validate', 'policy lint'],
  ['why', 'policy explain'],
]);

/** The command that these words most likely mean; of more than three, only the first three count. Undefined where none is near. */
export function suggestCommand(words: readonly string[]): string | undefined {
  const [first = '', second] = words;
  const isInGroup = second !== undefined && COMMANDS.some(({ name }) => name.startsWith(`${first} `));
  const ofGroup = ELSEWHERE.get(second?.toLowerCase() ?? '');
  if (isInGroup && ofGroup?.startsWith(`${first} `) === true) return ofGroup;
  const isKnown = isInGroup ? undefined : (ELSEWHERE.get(first.toLowerCase()) ?? endingIn(first));
  if (isKnown !== undefined) return isKnown;
  const tried = [3, 2, 1].map((count) => nameLike(words.slice(0, count).join(' ')));
  // `clawai policy nonsense` is told of the group's own commands by its help, not that `policy` is meant.
  const meant = tried.find((name) => name !== undefined && name !== first);
  return meant ?? endingIn(suggestName(isInGroup ? second : first, lastWords()) ?? '');
}

/** `policy lint` for `lint`. */
function endingIn(word: string): string | undefined {
  return shownNames().find((name) => name.split(' ').slice(1).includes(word));
}

/** A command, a group of commands, or an old name for one, that is nearly spelt so. */
function nameLike(typed: string): string | undefined {
  const groups = shownNames().flatMap((name) => name.split(' ').map((_, i, all) => all.slice(0, i + 1).join(' ')));
  const name = suggestName(typed, [...new Set([...groups, ...COMMANDS.map((entry) => entry.name)])]);
  return COMMANDS.find((entry) => entry.name === name)?.movedTo ?? name;
}

function lastWords(): readonly string[] {
  return [...new Set(shownNames().flatMap((name) => name.split(' ').slice(1)))];
}

function shownNames(): readonly string[] {
  return COMMANDS.filter(({ movedTo }) => movedTo === undefined).map(({ name }) => name);
}
