import { ClawaiError } from '../../errors.ts';
import { suggestName } from '../../suggest.ts';
import { visible } from '../terminal/printable.ts';

/** A name that stands for the session that was active last. */
export const LATEST = 'latest';

/**
 * The session that a name stands for which is no session's own: the newest run that goes by that name (`s-1.2` for `s-1`).
 *
 * @param sessions when each session was active last, in milliseconds since the epoch
 * @throws ClawaiError `usage` where there is none, with the name that was probably meant
 */
export function findSession(name: string, sessions: ReadonlyMap<string, number>): string {
  const newestFirst = [...sessions].toSorted(([, one], [, other]) => other - one).map(([session]) => session);
  const run = newestFirst.find((session) => isNumbered(session, name));
  if (run !== undefined) return run;
  const meant = newestFirst.find((session) => session.startsWith(name)) ?? suggestName(name, newestFirst);
  const [newest] = newestFirst;
  throw new ClawaiError(`no session ${JSON.stringify(visible(name))} was recorded`, {
    code: 'usage',
    hint:
      meant !== undefined
        ? `did you mean ${visible(meant)}?`
        : newest === undefined
          ? 'nothing was recorded yet'
          : `the latest one is ${visible(newest)}; \`clawai report --since 7d\` lists them`,
  });
}

function isNumbered(session: string, name: string): boolean {
  return session.startsWith(`${name}.`) && /^[1-9]\d*$/.test(session.slice(name.length + 1));
}
