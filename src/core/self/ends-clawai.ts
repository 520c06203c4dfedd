/** They end processes by a name. */
const BY_NAME = new Set(['pkill', 'killall', 'skill', 'taskkill', 'stop-process', 'spps']);
const KILLERS = new Set(['kill', ...BY_NAME]);

/** They tell the numbers of processes by a name. */
const LISTERS = new Set(['pgrep', 'pidof', 'get-process', 'lsof', 'fuser']);

/**
 * Do these commands of one line end processes that are called clawai? `pkill -f clawai`, `kill $(pgrep clawai)`,
 * `ps ax | grep [c]lawai | xargs kill`. By other names, or by a number, they can.
 */
export function endsClawai(commands: readonly (readonly string[])[]): boolean {
  const words = commands.flat().map(toName);
  if (!words.some((word) => KILLERS.has(word))) return false;
  const isListing = words.includes('ps');
  return commands.some((command) => {
    if (!command.some(isNamed)) return false;
    return isListing || command.some((word) => BY_NAME.has(toName(word)) || LISTERS.has(toName(word)));
  });
}

function toName(word: string): string {
  return word
    .slice(Math.max(word.lastIndexOf('/'), word.lastIndexOf('\\')) + 1)
    .replace(/\.exe$/i, '')
    .toLowerCase();
}

/** Also as an expression that does not find itself: `[c]lawai`. */
function isNamed(word: string): boolean {
  return word.length <= 1024 && /clawai/i.test(word.replaceAll(/[[\]\\^$()?+*.'"]/g, ''));
}
