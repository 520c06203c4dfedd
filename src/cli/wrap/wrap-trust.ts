import { homedir } from 'node:os';
import { loadConfig } from '../../config/config-file.ts';
import { nearestLaunch } from '../../core/registry/diff.ts';
import { ClawaiError } from '../../errors.ts';
import type { LaunchIdentity } from '../../gate/ports/registry-port.ts';
import { rememberLeft } from '../../remote/remote-state.ts';
import { openRegistryReader } from '../../store/reading/read-open.ts';
import { noteLaunches } from '../../store/registry-approvals.ts';
import { storeFile } from '../../store/private-file.ts';
import { probeRemote } from '../../transport/listing/probe-remote.ts';
import { isAddress } from '../../wrap/launch.ts';
import { isChange } from '../../wrap/plan-entry.ts';
import { type AnswerTo, type RemoteAnswer, type RemoteQuestion, toLeft } from '../../wrap/remote-answer.ts';
import type { FileOutcome } from '../../wrap/files/run-files.ts';
import { valueOf } from '../../wrap/weakness.ts';
import type { PlannedFile } from '../../wrap/wrap-file.ts';
import { remoteQuestions, type WrapRequest } from '../../wrap/wrap.ts';
import { parseWrappedCommand } from '../../wrap/wrapped-command.ts';
import { describePerson, patiently } from '../approvals/answer-question.ts';
import { launchFlags } from '../mcp/registry/entries.ts';
import { identityOf, projectFolder, readPinning } from '../mcp/registry/entry-launch.ts';
import { askYes, requirePerson } from '../terminal/person.ts';
import { layoutJson } from '../terminal/json.ts';
import { withProgress } from '../terminal/notes.ts';
import { printable, visible, shortPath } from '../terminal/text.ts';

/** A server as it is started from now on. */
interface Wrapped {
  readonly server: string;
  readonly file: string;
  readonly identity: LaunchIdentity;
}

/**
 * Notes the ways in which wrapped servers are started. Where the policy trusts what is used first, the first way of a name is trusted now; a
 * person is shown any other and asked. Where nobody is there to be asked, it is noted as not trusted, so that it can be approved.
 *
 * @returns what a person is told, a line each
 */
export async function trustWrapped(outcomes: readonly FileOutcome<PlannedFile>[]): Promise<readonly string[]> {
  const wrapped = outcomes.flatMap(wrappedIn);
  if (wrapped.length === 0) return [];
  try {
    const { stateDir, audit } = await loadConfig({ env: process.env, platform: process.platform, home: homedir() });
    const file = storeFile(stateDir);
    const { trustFirstUse } = await readPinning();
    const { first, others } = sortOut(wrapped, file, trustFirstUse);
    const isAgreed = others.length > 0 && isPersonHere() && (await askAbout(others, [...first, ...trustedIn(file)]));
    const coming = [
      ...first.map((each) => ({ ...each, trust: 'first' as const })),
      ...others.map((each) => ({ ...each, trust: isAgreed ? ('approved' as const) : ('seen' as const) })),
    ];
    if (coming.length > 0)
      await patiently(() => noteLaunches({ file, sync: audit.sync }, coming, { by: describePerson(), now: Date.now() }));
    return isAgreed ? [] : others.map(describeRefused);
  } catch (error) {
    if (!(error instanceof ClawaiError)) throw error;
    // The servers are wrapped all the same, and their first start settles it.
    return [`how they are started was not noted: ${error.message}`];
  }
}

function wrappedIn({ file, report }: FileOutcome<PlannedFile>): readonly Wrapped[] {
  return (report?.entries ?? []).flatMap((entry): readonly Wrapped[] => {
    const { action, before, after = before } = entry;
    if (!isChange(action) || after === undefined || isAddress(after)) return [];
    const line = parseWrappedCommand(after);
    if (line === undefined) return [];
    const { command, args } = line.server;
    const identity = identityOf([command, ...args], projectFolder({ ...entry, file }));
    return identity === undefined ? [] : [{ server: valueOf(line.flags, '--server') ?? entry.server, file, identity }];
  });
}

/** Separates servers that the first use of a name would trust from the others. Trusted ones are in neither. */
function sortOut(
  wrapped: readonly Wrapped[],
  file: string,
  trustFirstUse: boolean,
): { readonly first: readonly Wrapped[]; readonly others: readonly Wrapped[] } {
  const reader = openRegistryReader(file);
  const trusted = new Map(reader?.trusted());
  reader?.close();
  const first: Wrapped[] = [];
  const others: Wrapped[] = [];
  for (const each of wrapped) {
    const { server, identity } = each;
    const known = trusted.get(server) ?? new Set();
    if (known.has(identity.fingerprint)) continue;
    if (trustFirstUse && known.size === 0) {
      first.push(each);
      trusted.set(server, new Set([identity.fingerprint]));
    } else if (!others.some((other) => other.server === server && other.identity.fingerprint === identity.fingerprint))
      others.push(each);
  }
  return { first, others };
}

function trustedIn(file: string): readonly Pick<Wrapped, 'server' | 'identity'>[] {
  const reader = openRegistryReader(file);
  const servers = reader?.servers() ?? [];
  reader?.close();
  return servers.flatMap(({ server, pinned: fingerprint, pinnedText: text }) =>
    fingerprint === undefined || text === undefined ? [] : [{ server, identity: { type: 'stdio', fingerprint, text } as const }],
  );
}

function isPersonHere(): boolean {
  try {
    requirePerson('wrap');
    return true;
  } catch (error) {
    if (error instanceof ClawaiError) return false;
    throw error;
  }
}

/** @param trusted servers, or ones that are going to be */
async function askAbout(others: readonly Wrapped[], trusted: readonly Pick<Wrapped, 'server' | 'identity'>[]): Promise<boolean> {
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
          .join('')}`,
    );
  }
  return askYes(`Trust ${others.length === 1 ? 'it' : `these ${others.length}`} too?`);
}

function describeRefused({ server, identity }: Wrapped): string {
  const flags = launchFlags(server, identity.fingerprint);
  return `${visible(server)}: nobody has trusted this way of starting it, so its calls are denied until \`clawai approve ${flags}\``;
}

/** Milliseconds for all servers together, which are asked at once. */
const PATIENCE_MS = 2000;

interface RemoteAnswers {
  readonly answerTo: AnswerTo;
  /** Lets `clawai status` know it without asking. @returns why that could not be written, a sentence; undefined where it was */
  readonly remember: (stateDir: string) => string | undefined;
}

/** Asks each remote server that would be wrapped whether it works then: each with what its entry sends, and at its own URL alone. */
export async function askRemotes(request: WrapRequest): Promise<RemoteAnswers> {
  const questions = remoteQuestions(request);
  const signal = AbortSignal.timeout(PATIENCE_MS);
  const asked = new Map<string, Promise<RemoteAnswer>>();
  for (const question of questions) {
    const key = keyOf(question);
    // Several clients may have the same entry.
    if (!asked.has(key)) asked.set(key, ask(question, request.version, signal));
  }
  const all = Promise.all([...asked].map(async ([key, answer]) => [key, await answer] as const));
  const answers = new Map(await withProgress('asking remote servers', all));
  const answerTo: AnswerTo = (question) => answers.get(keyOf(question));
  return {
    answerTo,
    remember(stateDir) {
      try {
        rememberLeft(
          stateDir,
          questions,
          questions.flatMap((question) => toLeft(question, answerTo(question)) ?? []),
        );
        return undefined;
      } catch (error) {
        if (!(error instanceof ClawaiError)) throw error;
        return `\`clawai status\` will not know why servers were left alone: ${error.message}`;
      }
    },
  };
}

async function ask({ url, headers }: RemoteQuestion, version: string, signal: AbortSignal): Promise<RemoteAnswer> {
  if (headers === undefined) {
    return { kind: 'unknown', why: 'it was not asked, since its client fills in headers that clawai does not know' };
  }
  return probeRemote({ url, headers, version, signal });
}

function keyOf({ url, headers }: RemoteQuestion): string {
  return JSON.stringify([url, headers]);
}
