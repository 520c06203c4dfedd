import type { Detection } from '../types.ts';
import { plainDetection, type Argument } from './argument.ts';

/**
 * Matches `..` and a separator, also as percent signs (once and twice), as overlong UTF-8, and doubled to survive a filter that removes it.
 */
const CLIMB = String.raw`(?:\.\.|%2e%2e|%252e%252e|\.%2e|%2e\.|%c0%ae%c0%ae)(?:[\\/]|%2f|%5c|%252f|%255c|%c0%af|%c1%9c)`;
const CLIMBS = new RegExp(`(?:${CLIMB}){2,64}`);
const ENCODED = new RegExp(
  String.raw`(?:%2e%2e|%252e%252e|%c0%ae%c0%ae|\.%2e|%2e\.)(?:[\\/]|%2f|%5c|%252f|%255c|%c0%af)|\.\.(?:%2f|%5c|%252f|%255c|%c0%af)|\.{3,8}(?:[\\/]{2})`,
);
const INTO_SYSTEM = new RegExp(`${CLIMB}(?:etc|root|proc|windows|winnt|usr|var|home|boot|sys)(?:[\\\\/]|%2f)`);
/** Matches a path that goes down and up again, which nobody needs. */
const ZIGZAG = /[^\\/.][\\/](?:\.\.[\\/]){2,64}/;
const CUT = /%00|\0/;
const PLACES =
  /^(?:file:\/\/)?(?:\/etc\/(?:passwd|shadow|gshadow|sudoers|master\.passwd|security|ssh\/|cron\.d\/|crontab|ld\.so\.preload|krb5\.keytab|pam\.d)|\/root\/|\/proc\/(?:self|\d{1,8})\/(?:environ|mem|maps|cmdline|fd)|\/(?:home|users)\/[^/]{1,64}\/\.(?:ssh|gnupg|aws|kube|docker|netrc|npmrc|pypirc|pgpass))/;

/** Finds paths that climb out of the folder they start in, in arguments that name files; texts only talk about paths. */
export function findTraversal(argument: Argument): readonly Detection[] {
  if (argument.kind === 'text' || argument.kind === 'command') return [];
  const { plain } = argument;
  const encoded = ENCODED.exec(plain);
  if (encoded !== null) {
    const description = 'a path that climbs in an encoded or doubled form, which evades checks';
    return [plainDetection(argument, encoded, { rule: 'path_traversal.encoded', severity: 'high', description })];
  }
  if (argument.kind === 'url') return [];
  const system = INTO_SYSTEM.exec(plain);
  if (system !== null) {
    const description = 'a path that climbs up to a folder of the system';
    return [plainDetection(argument, system, { rule: 'path_traversal.into_system', severity: 'high', description })];
  }
  const climb = ZIGZAG.exec(plain) ?? (argument.kind === 'path' || argument.kind === 'word' ? CLIMBS.exec(plain) : null);
  if (climb !== null) {
    const description = 'a path that climbs more than one folder up';
    return [plainDetection(argument, climb, { rule: 'path_traversal.climb', severity: 'medium', description })];
  }
  const cut = argument.kind === 'path' ? CUT.exec(argument.sent) : null;
  if (cut !== null) {
    const description = 'a path with a zero byte, where some programs cut it off';
    return [plainDetection(argument, cut, { rule: 'path_traversal.zero_byte', severity: 'high', description })];
  }
  const place = PLACES.exec(plain);
  if (place === null) return [];
  const description = "a path to accounts, keys or another process's memory";
  return [plainDetection(argument, place, { rule: 'path_traversal.system_file', severity: 'medium', description })];
}
