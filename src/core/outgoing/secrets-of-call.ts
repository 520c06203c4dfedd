import { argsOf, type Call } from '../call.ts';
import type { Dlp, OnArguments } from '../policy/parse-dlp.ts';
import { compileGlob, type Glob } from '../patterns/glob.ts';
import type { Policy } from '../policy/tables.ts';
import { createSecretFinder, type SecretFinder } from '../dlp/find-secrets.ts';
import type { SessionFacts } from '../facts.ts';
import { type ArgumentSecret, type Evidence, KNOWN } from '../finding.ts';
import { recordedArguments } from './recorded-arguments.ts';
import { findSecretsInArguments } from './find-secrets-in-arguments.ts';

/** Requests that servers make: what is in them has not left for anywhere. */
const OF_SERVERS: ReadonlySet<string> = new Set(['sampling/createMessage', 'elicitation/create', 'roots/list']);

const NOTHING: readonly ArgumentSecret[] = [];

const finders = new WeakMap<Dlp, SecretFinder>();

/** Calls that were searched, since several stages ask about the same one. Not kept longer than they are, as some are large. */
const searched = new WeakMap<Call, CallSearched>();

interface CallSearched {
  readonly dlp: Dlp;
  readonly found: readonly ArgumentSecret[];
}

/** The parts of a snapshot that the search needs. */
interface CallFacts {
  readonly policy: { readonly policy: Pick<Policy, 'dlp'> };
  readonly session?: SessionFacts;
}

const restorers = new WeakMap<Dlp, readonly Glob[]>();

/** The action of the policy on secrets in arguments for a server. One that gets secrets back for tokens is meant to have them. */
export function onArgumentsOf({ dlp }: Pick<Policy, 'dlp'>, server: string): OnArguments {
  const own = dlp.servers.get(server);
  if (own !== undefined || dlp.restoreTo.length === 0 || dlp.onRequest !== 'tokenize') return own ?? dlp.onArguments;
  let globs = restorers.get(dlp);
  if (globs === undefined) {
    globs = dlp.restoreTo.map((glob) => compileGlob(glob));
    restorers.set(dlp, globs);
  }
  return globs.some((glob) => glob.matches(server)) ? 'alert' : dlp.onArguments;
}

/** The secrets in the arguments of a call; none in those of a tool that only shows something. */
export function secretsOfCall(call: Call, { policy: { policy }, session }: CallFacts): readonly ArgumentSecret[] {
  const { dlp } = policy;
  const args = call.shownArgs ?? argsOf(call);
  if (!dlp.enabled || args === undefined || call.isInert === true || OF_SERVERS.has(call.method)) return NOTHING;
  let known = searched.get(call);
  if (known?.dlp !== dlp) {
    known = { dlp, found: findSecretsInArguments(args, { finder: finderOf(dlp), byName: dlp.keys }) };
    searched.set(call, known);
  }
  if (!dlp.keys || session?.secrets === undefined) return known.found;
  // A known secret that shows by itself is one finding.
  const rest = known.found.length === 0 ? args : recordedArguments(args, known.found, Number.POSITIVE_INFINITY);
  const others = session.secrets(rest);
  return others.length === 0 ? known.found : [...known.found, ...others.map(toKnown)];
}

/** The search for what a policy counts as secrets. */
export function finderOf(dlp: Dlp): SecretFinder {
  let finder = finders.get(dlp);
  if (finder === undefined) {
    finder = createSecretFinder(dlp);
    finders.set(dlp, finder);
  }
  return finder;
}

/** A secret that another server has. */
function toKnown({ encoding }: Evidence): ArgumentSecret {
  return { kind: KNOWN, path: '', steps: [], spans: undefined, ...(encoding !== 'plain' && { hiding: encoding }) };
}

/** Tells whether all secrets of a call can be taken out of it on the way. */
export function canRedact({ isUneditable }: Call, secrets: readonly ArgumentSecret[]): boolean {
  return isUneditable !== true && secrets.every(({ spans }) => spans !== undefined);
}

const PLAIN_PATH = /^[\w$@.-]{1,80}$/;

/** Most secrets that one sentence names. */
const MOST_NAMED = 2;

/** The secrets as people read them: `"body" has a secret (github token), encoded as base64`. */
export function describeSecrets(secrets: readonly ArgumentSecret[]): string {
  const named = secrets.slice(0, MOST_NAMED).map(({ kind, path, hiding }) => {
    const where = path !== '' && PLAIN_PATH.test(path) ? `"${path}"` : 'an argument';
    return `${where} has ${describeKind(kind)}${hiding === undefined ? '' : (HIDINGS[hiding] ?? `, disguised (${hiding})`)}`;
  });
  const more = secrets.length > MOST_NAMED ? `, and ${secrets.length - MOST_NAMED} more` : '';
  return `${named.join(', ')}${more}`;
}

const HIDINGS: Readonly<Record<string, string>> = {
  key: ' in the name of a member',
  split: ' that is split over several arguments',
};

function describeKind(kind: string): string {
  if (kind === KNOWN) return 'a secret of another server';
  return kind === 'too_long' ? 'more text than clawai searches for secrets' : `a secret (${kind.replaceAll('_', ' ')})`;
}
