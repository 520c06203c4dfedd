import { secretNameKind } from '../dlp/secret-name.ts';
import type { Policy } from '../policy/tables.ts';
import { encodedRuns } from './encoded-runs.ts';
import { isRandom, looksSecret } from './looks-secret.ts';
import { finderOf, onArgumentsOf } from './secrets-of-call.ts';

/** Begins the source of remembered secrets, which is no call's. */
export const SECRET_SOURCE = 'secret:';

/** Letters and digits of the shortest secret that is recognised again, and characters of a result that are searched. */
const SHORTEST = 12;
const MOST_SEARCHED = 256 * 1024;

/** Kinds that other servers may have for good reasons: they are what people work with. */
const COMMON: ReadonlySet<string> = new Set(['email', 'phone', 'crypto_address', 'card', 'ssn', 'iban']);

/** The secrets in texts that are worth recognising elsewhere: random ones, since words are no evidence. */
export function secretsInTexts(texts: readonly string[], { dlp }: Pick<Policy, 'dlp'>): readonly string[] {
  if (!dlp.enabled || !dlp.keys) return [];
  const finder = finderOf(dlp);
  const secretsIn = (read: string): readonly string[] =>
    finder
      .find(read)
      .filter(({ kind }) => !COMMON.has(kind))
      .map(({ start, end }) => read.slice(start, end));
  return texts.flatMap((text) => {
    const read = text.slice(0, MOST_SEARCHED);
    const plain = secretsIn(read);
    // Files come as base64, and some have their secrets so.
    const files = encodedRuns(read).encoded.flatMap((run) => secretsIn(run.text));
    const decoded = plain.flatMap((secret) => encodedRuns(secret).encoded.map((run) => run.text.trim()));
    return [...plain, ...files, ...decoded].filter((secret) => secret.length >= SHORTEST && isRandom(secret));
  });
}

/** The values of variables whose names tell that they are secret. */
export function secretsOfEnvironment(env: Readonly<Record<string, string | undefined>>): readonly string[] {
  return Object.entries(env).flatMap(([name, value = '']) => {
    const kind = value.length < SHORTEST ? undefined : secretNameKind(name);
    return kind !== undefined && looksSecret(value, kind) && isRandom(value) ? [value] : [];
  });
}

/** Tells whether calls to a server, or to any, are stopped or edited for secrets that another one has shown: they wait until results are read. */
export function actsOnSecrets({ dlp }: Pick<Policy, 'dlp'>, server?: string): boolean {
  if (!dlp.enabled || !dlp.keys) return false;
  if (server !== undefined) return onArgumentsOf({ dlp }, server) !== 'alert';
  return dlp.onArguments !== 'alert' || [...dlp.servers.values()].some((action) => action !== 'alert');
}
