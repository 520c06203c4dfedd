import { homedir } from 'node:os';
import { loadConfig } from '../../config/config-file.ts';
import type { Pinning } from '../../core/policy/parse-settings.ts';
import { nearestLaunch } from '../../core/registry/diff.ts';
import { ClawaiError } from '../../errors.ts';
import type { LaunchIdentity } from '../../gate/ports/registry-port.ts';
import { openRegistryReader } from '../../store/reading/read-open.ts';
import { type ComingLaunch, noteLaunches } from '../../store/registry-approvals.ts';
import { storeFile } from '../../store/private-file.ts';
import { isAddress } from '../../wrap/launch.ts';
import { isChange } from '../../wrap/plan-entry.ts';
import type { FileOutcome } from '../../wrap/files/run-files.ts';
import { valueOf } from '../../wrap/weakness.ts';
import type { PlannedFile } from '../../wrap/wrap-file.ts';
import { parseWrappedCommand } from '../../wrap/wrapped-command.ts';
import { describePerson, patiently } from '../approvals/answer-question.ts';
import { launchFlags } from '../mcp/registry/entries.ts';
import { identityOf, projectFolder, readPinning } from '../mcp/registry/entry-launch.ts';
import { askYes, isPersonHere } from '../terminal/person.ts';
import { layoutJson } from '../terminal/json.ts';
import { warn } from '../terminal/notes.ts';
import { printable, visible, shortPath } from '../terminal/text.ts';

/** A server as it is started from now on. */
interface Wrapped {
  readonly server: string;
  readonly file: string;
  readonly identity: LaunchIdentity;
  /** False if it was wrapped before. */
  readonly isNew: boolean;
}

/** The trust in the ways in which wrapped servers are started. */
interface LaunchTrust {
  /** The servers whose calls are denied, for whoever is not asked; sentences without full stop. */
  readonly notes: readonly string[];
  /** Asks the person at the terminal, if there is one, and notes the launches. */
  readonly settle: () => Promise<void>;
}

/**
 * Compares the ways in which wrapped servers are started with what is trusted; nothing is written yet. Where the policy trusts what is used
 * first, the first way of a name is trusted. A person is shown any other and asked, as long as it is denied. Where nobody is there to be
 * asked, it is noted as not trusted, so that it can be approved.
 */
export async function reviewLaunches(outcomes: readonly FileOutcome<PlannedFile>[]): Promise<LaunchTrust> {
  const wrapped = outcomes.flatMap(wrappedIn);
  if (wrapped.length === 0) return { notes: [], settle: async () => {} };
  try {
    const { stateDir, audit } = await loadConfig({ env: process.env, platform: process.platform, home: homedir() });
    const file = storeFile(stateDir);
    const pinning = await readPinning();
    const { first, others } = sortOut(wrapped, file, pinning);
    const known = trustedIn(file);
    const until = describeUntil(pinning);
    const isAsked = until !== undefined && others.length > 0 && isPersonHere('wrap');
    const note = async (launches: readonly Wrapped[], trust: ComingLaunch['trust']): Promise<void> => {
      const coming = launches.map((each) => ({ ...each, trust }));
      if (coming.length === 0) return;
      await patiently(() => noteLaunches({ file, sync: audit.sync }, coming, { by: describePerson(), now: Date.now() }));
    };
    return {
      notes: isAsked || until === undefined ? [] : others.map((each) => describeRefused(each, until)),
      async settle() {
        try {
          // They count also if the person leaves without an answer.
          await note(first, 'first');
          const isAgreed = isAsked && (await askAbout(others, { trusted: [...first, ...known], until }));
          if (isAgreed) await note(others, 'approved');
          // Wrapping twice changes nothing.
          else await note(withoutNoted(others, file), 'seen');
          if (isAsked) process.stdout.write(isAgreed ? 'Trusted.\n' : 'Not trusted. `clawai wrap` asks again next time.\n');
        } catch (error) {
          warn(describeFault(error));
        }
      },
    };
  } catch (error) {
    return { notes: [describeFault(error)], settle: async () => {} };
  }
}

/** The servers are wrapped all the same, and their first start settles it. Throws what is a bug. */
function describeFault(error: unknown): string {
  if (!(error instanceof ClawaiError)) throw error;
  return `how they are started was not noted: ${error.message}`;
}

function wrappedIn({ file, report }: FileOutcome<PlannedFile>): readonly Wrapped[] {
  return (report?.entries ?? []).flatMap((entry): readonly Wrapped[] => {
    const { action, before, after = before } = entry;
    if (action === 'skip' || after === undefined || isAddress(after)) return [];
    const line = parseWrappedCommand(after);
    if (line === undefined) return [];
    const { command, args } = line.server;
    const identity = identityOf([command, ...args], projectFolder({ ...entry, file }));
    const server = valueOf(line.flags, '--server') ?? entry.server;
    return identity === undefined ? [] : [{ server, file, identity, isNew: isChange(action) }];
  });
}

/** Separates servers that the first use of a name would trust from the others. Trusted ones are in neither. */
function sortOut(
  wrapped: readonly Wrapped[],
  file: string,
  { trustFirstUse }: Pinning,
): { readonly first: readonly Wrapped[]; readonly others: readonly Wrapped[] } {
  const reader = openRegistryReader(file);
  const trusted = new Map(reader?.trusted());
  reader?.close();
  const first: Wrapped[] = [];
  const others: Wrapped[] = [];
  for (const each of wrapped.toSorted((a, b) => Number(b.isNew) - Number(a.isNew))) {
    const { server, identity, isNew } = each;
    const known = trusted.get(server) ?? new Set();
    if (known.has(identity.fingerprint)) continue;
    if (trustFirstUse && known.size === 0) {
      // If none of a name is new, the one that starts first is trusted.
      if (!isNew) continue;
      first.push(each);
      trusted.set(server, new Set([identity.fingerprint]));
    } else if (!others.some((other) => other.server === server && other.identity.fingerprint === identity.fingerprint))
      others.push(each);
  }
  return { first, others };
}

/** Says how calls of a server that nobody trusts end; undefined if they are decided as any other. */
function describeUntil({ enabled, onChange }: Pinning): string | undefined {
  if (!enabled || onChange === 'alert') return undefined;
  return onChange === 'prompt' ? 'each of its calls waits for your answer until' : 'its calls are denied until';
}

/** Leaves out launches that are in the registry already. */
function withoutNoted(others: readonly Wrapped[], file: string): readonly Wrapped[] {
  const reader = openRegistryReader(file);
  const known = reader?.servers() ?? [];
  reader?.close();
  return others.filter(
    ({ server, identity }) => !known.some((each) => each.server === server && each.seen === identity.fingerprint),
  );
}

function trustedIn(file: string): readonly Pick<Wrapped, 'server' | 'identity'>[] {
  const reader = openRegistryReader(file);
  const servers = reader?.servers() ?? [];
  reader?.close();
  return servers.flatMap(({ server, pinned: fingerprint, pinnedText: text }) =>
    fingerprint === undefined || text === undefined ? [] : [{ server, identity: { type: 'stdio', fingerprint, text } as const }],
  );
}

interface Asking {
  /** Servers that are trusted, or are going to be. */
  readonly trusted: readonly Pick<Wrapped, 'server' | 'identity'>[];
  readonly until: string;
}

async function askAbout(others: readonly Wrapped[], { trusted, until }: Asking): Promise<boolean> {
  for (const { server, file: config, identity } of others) {
    const known = trusted.filter((each) => each.server === server).map((each) => each.identity);
    const nearest = nearestLaunch(known, identity.text);
    const fields = nearest?.changes.map(({ field }) => field).join(', ') ?? '';
    const why =
      nearest === undefined
        ? 'nobody has trusted it yet'
        : `another server of that name is trusted; this one differs from it${fields === '' ? '' : ` in ${fields}`}`;
    process.stdout.write(
      `\n${visible(server)} in ${printable(shortPath(config))}: ${why}. It is started by\n` +
        `${layoutJson(identity.text, 76)
          .map((line) => `  ${line}\n`)
          .join('')}If not, ${until} you run \`${approval({ server, identity })}\`.\n`,
    );
  }
  return askYes(`Trust ${others.length === 1 ? 'it' : `these ${others.length}`} too?`);
}

function describeRefused(wrapped: Wrapped, until: string): string {
  return `${visible(wrapped.server)}: nobody has trusted this way of starting it, so ${until} \`${approval(wrapped)}\``;
}

function approval({ server, identity }: Pick<Wrapped, 'server' | 'identity'>): string {
  return `clawai approve ${launchFlags(server, identity.fingerprint)}`;
}
