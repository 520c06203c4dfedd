import { homedir } from 'node:os';
import { basename, dirname, sep } from 'node:path';
import { CLIENTS } from '../../../clients/clients.ts';
import { findPolicy, loadPolicy } from '../../../config/policy-file.ts';
import { DEFAULT_PINNING, type Pinning } from '../../../core/policy/parse-settings.ts';
import { nearestLaunch } from '../../../core/registry/diff.ts';
import { isPinned } from '../../../core/registry/trust.ts';
import { ClawaiError } from '../../../errors.ts';
import type { LaunchIdentity } from '../../../gate/ports/registry-port.ts';
import { launchIdentity } from '../../../session/ids.ts';
import type {
  OfServer,
  RegisteredDefinition,
  RegisteredServer,
  RegisteredTexts,
  RegisteredUse,
  RegistryReader,
} from '../../../store/reading/registry-reader.ts';
import { OWN_NAME } from '../../../transport/listing/server-lister.ts';
import { launchFlags, serverFlag } from './entries.ts';
import { tryRealPath } from '../../../host/real-path.ts';

/** An entry of a client's config that leads through clawai. */
export interface WrappedEntry {
  /** The name under which the registry knows it. */
  readonly server: string;
  readonly clients: readonly string[];
  /** The command that clawai starts; undefined for a remote server. */
  readonly command: readonly [string, ...string[]] | undefined;
  /** The folder in which alone the entry counts; undefined for one that counts everywhere. */
  readonly project: string | undefined;
}

/** The registry's facts on one entry. */
export interface EntryLaunch {
  /** The last use by one of its clients, in milliseconds since the epoch. */
  readonly lastSeen: number | undefined;
  /** Another program that used it, or one that has not said which it is (empty), and when. */
  readonly seenBy?: { readonly client: string; readonly time: number } | undefined;
  /** The reason that every call of it is denied, or would be; undefined if not every one is. */
  readonly refusal?: Refusal | undefined;
}

export interface Refusal {
  /** A phrase without full stop. */
  readonly why: string;
  /** The command that shows it, and trusts it once a person agrees. */
  readonly command: string;
}

/** Clients put their own values there, which we don't know. */
const TEMPLATE = /\$\{|\{env:|\{file:/;

/** The registry's facts on the entries in clients' configs: each by itself, even if several have one name. */
export class EntryLaunches {
  readonly #servers: readonly (RegisteredServer & RegisteredTexts)[];
  readonly #trusted: ReadonlyMap<string, ReadonlySet<string>>;
  readonly #instructions: readonly RegisteredDefinition[];
  readonly #uses: readonly RegisteredUse[];
  readonly #pinning: Pinning;

  /** @param reader is read now, and not afterwards. @param pinning of the policy that is in force */
  constructor(reader: RegistryReader, pinning: Pinning) {
    this.#servers = reader.servers();
    this.#trusted = reader.trusted();
    this.#instructions = reader.definitions({ kind: 'instructions' });
    this.#uses = reader.uses();
    this.#pinning = pinning;
  }

  of(entry: WrappedEntry): EntryLaunch {
    const { server, command } = entry;
    const identity = command === undefined ? undefined : identityOf(command, entry.project);
    const uses = this.#uses.filter(
      (use) =>
        use.server === server &&
        isWithin(entry.project, use.folder) &&
        (identity === undefined || this.#isLaunch(use, identity.fingerprint)),
    );
    const theirs = uses.find(({ client }) => clientsCalled(client).some((id) => entry.clients.includes(id)));
    const others = uses.filter(({ client }) => clientsCalled(client).length === 0);
    const launch = identity === undefined ? (theirs ?? others[0])?.launch : identity.fingerprint;
    // Our own listing says nothing about a client.
    const other = others.find(({ client }) => client !== OWN_NAME) ?? others[0];
    return {
      lastSeen: theirs?.time,
      seenBy: theirs === undefined && other !== undefined ? { client: other.client, time: other.time } : undefined,
      refusal: this.#refusalOf({ server, launch }, identity?.text),
    };
  }

  /** Tells whether the launch in use has this fingerprint. Launches that share their pins are not told apart. */
  #isLaunch({ server, launch }: OfServer, fingerprint: string): boolean {
    if (launch !== undefined) return launch === fingerprint;
    const isOwn = this.#servers.some((each) => each.server === server && each.launch === fingerprint);
    const shared = this.#servers.find((each) => each.server === server && each.launch === undefined);
    return !isOwn && (shared?.seen === fingerprint || this.#trusted.get(server)?.has(fingerprint) === true);
  }

  #refusalOf({ server, launch }: OfServer, text: string | undefined): Refusal | undefined {
    const { enabled, onChange, trustFirstUse } = this.#pinning;
    if (!enabled || onChange === 'alert') return undefined;
    const named = this.#servers.filter((each) => each.server === server);
    const trusted = named.filter(({ pinned }) => pinned !== undefined);
    const isTrusted = launch === undefined ? trusted.length > 0 : this.#trusted.get(server)?.has(launch) === true;
    if (!isTrusted && trusted.length > 0 && launch !== undefined) {
      const known = trusted.flatMap(({ pinned = '', pinnedText }) =>
        pinnedText === undefined ? [] : [{ fingerprint: pinned, text: pinnedText }],
      );
      const fields = (text === undefined ? undefined : nearestLaunch(known, text)?.changes)?.map(({ field }) => field) ?? [];
      const approve = `clawai approve ${launchFlags(server, launch)}`;
      const isKnown = named.some(({ seen }) => seen === launch);
      return {
        why: `it is started in another way than what is trusted under its name${fields.length === 0 ? '' : ` (${fields.join(', ')})`}`,
        command: isKnown ? approve : `let its client start it once, then run \`${approve}\``,
      };
    }
    const own = named.find((each) => each.launch === launch)?.launch;
    const instructions = this.#instructions.find((each) => each.server === server && each.launch === own);
    const command = `clawai approve ${serverFlag(server)} --all`;
    if (instructions?.pinned !== undefined && !isPinned(instructions.pinned, instructions.seen))
      return { why: 'it gives other instructions than when it was trusted', command };
    if (!isTrusted && named.length > 0 && !trustFirstUse) return { why: 'nobody has trusted it yet', command };
    return undefined;
  }
}

/**
 * The launch identity that an entry comes to; undefined where the client fills in what we don't know.
 *
 * @param project the folder that the client puts in place of `${workspaceFolder}`
 */
export function identityOf(
  [command, ...args]: readonly [string, ...string[]],
  project: string | undefined,
): LaunchIdentity | undefined {
  const filled = (word: string): string => (project === undefined ? word : word.replaceAll('${workspaceFolder}', project));
  const words = [filled(command), ...args.map(filled)] as const;
  return words.some((word) => TEMPLATE.test(word)) ? undefined : launchIdentity(words);
}

/** `[pinning]` of your policy; the default where that can't be read, which is reported elsewhere. */
export async function readPinning(): Promise<Pinning> {
  try {
    return (await loadPolicy(findPolicy({ env: process.env, platform: process.platform, home: homedir() }).file)).pinning;
  } catch (error) {
    if (!(error instanceof ClawaiError)) throw error;
    return DEFAULT_PINNING;
  }
}

/** The folder in which alone an entry counts. @param pointer RFC 6901 */
export function projectFolder({
  scope,
  file,
  pointer,
}: {
  readonly scope: string;
  readonly file: string;
  readonly pointer: string;
}): string | undefined {
  if (scope === 'local') return pointer.split('/').at(-3)?.replaceAll('~1', '/').replaceAll('~0', '~');
  if (scope !== 'project') return undefined;
  const folder = dirname(file);
  return basename(folder).startsWith('.') ? dirname(folder) : folder;
}

function clientsCalled(name: string): readonly string[] {
  return CLIENTS.filter(({ infoName }) => infoName.test(name)).map(({ id }) => id);
}

function isWithin(project: string | undefined, folder: string): boolean {
  if (project === undefined) return true;
  return [project, tryRealPath(project) ?? project].some((each) => folder === each || folder.startsWith(`${each}${sep}`));
}
