import { createDetector } from '../../core/detect/create-detector.ts';
import type { Detection } from '../../core/detect/types.ts';
import { createSecretFinder, type SecretFinder } from '../../core/dlp/find-secrets.ts';
import { isJsonObject } from '../../core/json.ts';
import type { CompiledPolicy } from '../../core/match/compile.ts';
import type { Definition } from '../../core/registry/definition.ts';
import { combineDefinitions, instructionsDefinition, toDefinition } from '../../core/registry/fingerprint.ts';
import { isPinned } from '../../core/registry/trust.ts';
import { showUrl } from '../../remote/remote-server.ts';
import { byUrgency } from '../../scan/finding-kinds.ts';
import { createHiding, hideInFinding } from '../../scan/hide-secrets.ts';
import { judgeSecrets, secretsIn } from '../../scan/judge-config.ts';
import { finding, judgeLaunch, programOf } from '../../scan/judge-launch.ts';
import { judgeNames } from '../../scan/judge-names.ts';
import { judgeTool } from '../../scan/judge-tool.ts';
import type { ScanFinding, ScannedServer } from '../../scan/scanned.ts';
import { maskCommand } from '../../wrap/files/mask-config.ts';
import { sha256 } from '../../wrap/files/state-folder.ts';
import { Inspector } from '../mcp/inspect/inspector.ts';
import { isTexts, type ItemInput, type Skipped } from '../mcp/inspect/items.ts';
import { commandFor } from '../mcp/registry/entries.ts';
import { countOf } from '../terminal/layout.ts';
import { visible } from '../terminal/text.ts';
import type { LookedAt } from './look-at-servers.ts';
import type { ScanTarget } from './scan-target.ts';

/** Judges all servers: each by itself, and beside the others of its clients. */
export function judgeServers(all: readonly LookedAt[], policy: CompiledPolicy): readonly ScannedServer[] {
  const inspector = new Inspector(policy, createDetector);
  const { dlp } = policy.policy;
  // Addresses and numbers of people are no secrets of a config.
  const finder = createSecretFinder({
    ...dlp,
    enabled: true,
    keys: true,
    privateKeys: true,
    cards: false,
    seedPhrases: false,
    ssn: false,
    iban: false,
    email: false,
    phone: false,
    cryptoAddresses: false,
  });
  const names = all.map(({ target, group }) => toolsOf(group.items, target));
  const shared = judgeNames(names);
  return all.map((one, i) => {
    const others = new Map(
      names.flatMap(({ name, tools, program }) => (program === names[i]?.program ? [] : [[name, tools] as const])),
    );
    const definitions = readDefinitions(one);
    const judged = definitions === undefined ? NOT_READ : judgeDefinitions(one, { inspector, others, definitions });
    const findings = [...judged.findings, ...(shared[i] ?? []), ...judgeEntry(one.target, finder)].toSorted(byUrgency);
    const skipped = [...one.group.skipped, ...judged.skipped].map(({ what, why }) => `${what} ${why}`);
    return toScanned(one, { definitions: definitions ?? [], findings, skipped, finder });
  });
}

function toolsOf(items: readonly ItemInput[], { name, clients, launch }: ScanTarget) {
  const tools = items.flatMap((item) => (item.kind === 'tool' && !isTexts(item) && item.name !== '' ? [item.name] : []));
  return { name, clients, program: launch === undefined ? name : programOf(launch), tools: [...new Set(tools)] };
}

/** The definitions, those of one name as one; undefined if they are nested more deeply than can be read. */
function readDefinitions({ group: { items } }: LookedAt): readonly Definition[] | undefined {
  try {
    const read = items.flatMap((item): readonly Definition[] => {
      if (isTexts(item)) return [];
      const { kind, value } = item;
      if (kind === 'instructions') return typeof value === 'string' ? [instructionsDefinition(value)] : [];
      const definition = toDefinition(kind, value);
      return definition === undefined ? [] : [definition];
    });
    const byName = Map.groupBy(read, ({ kind, name }) => `${kind}\0${name}`);
    return Array.from(byName.values(), ([first, ...more]) => {
      if (first === undefined) throw new Error('a group is empty');
      return more.length === 0 ? first : combineDefinitions([first, ...more]);
    });
  } catch (error) {
    if (error instanceof RangeError) return undefined;
    throw error;
  }
}

interface Judged {
  readonly findings: readonly ScanFinding[];
  readonly skipped: readonly Skipped[];
}

const NOT_READ: Judged = { findings: [], skipped: [{ what: 'its definitions', why: 'are nested too deeply to be read' }] };

interface Judging {
  readonly inspector: Inspector;
  readonly others: ReadonlyMap<string, readonly string[]>;
  readonly definitions: readonly Definition[];
}

function judgeDefinitions(one: LookedAt, { inspector, others, definitions }: Judging): Judged {
  const { group } = one;
  const inspected = inspector.look(group, others);
  const detected = inspected.flatMap(({ item, findings }) =>
    findings.map((detection) => ofDetection(detection, subjectOf(item))),
  );
  const skipped = inspected.flatMap((each) =>
    each.skipped.map(({ what, why }) => ({ what: `${subjectOf(each.item)}: ${what}`, why })),
  );
  const cut = inspected.filter(({ isCut }) => isCut).length;
  if (cut > 0) skipped.push({ what: `the rest of ${countOf(cut, 'definition')},`, why: 'longer than what is read' });
  const judged = group.items.flatMap((item): readonly ScanFinding[] => {
    if (isTexts(item)) return [];
    return item.kind === 'tool' && isJsonObject(item.value) ? judgeTool(item.name, item.value) : [];
  });
  return { findings: [...detected, ...judged, ...judgePins(one, definitions)], skipped };
}

function subjectOf(item: ItemInput): string {
  return isTexts(item) ? 'answers' : item.name === '' ? item.kind : item.name;
}

/** Shorter quotes, such as `<`, say nothing. */
const LEAST_QUOTED = 4;

function ofDetection({ rule, severity, description, matches }: Detection, subject: string): ScanFinding {
  const text = matches[0]?.text ?? '';
  const isBad = severity === 'high' || severity === 'critical';
  return {
    id: `detection/${rule}`,
    severity,
    subject,
    message: `${description.charAt(0).toLowerCase()}${description.slice(1)}`,
    quote: text.length < LEAST_QUOTED ? undefined : text,
    todo: isBad ? 'read it before you use the server' : 'read it',
    quotes: matches.map(({ context }) => context),
  };
}

/** Compares with what a person, or the first use, trusted. */
function judgePins({ recorded, looked }: LookedAt, definitions: readonly Definition[]): readonly ScanFinding[] {
  if (recorded === undefined || looked.kind === 'not') return [];
  return definitions.flatMap((definition): readonly ScanFinding[] => {
    const { kind, name, fingerprint } = definition;
    const known = recorded.definitions.find((each) => each.kind === kind && each.name === name);
    // Records know a changed version by what the gate saw, and the text that was kept says the same.
    const seen = looked.kind === 'recorded' ? known?.seen : fingerprint;
    if (known?.pinned === undefined || seen === undefined || isPinned(known.pinned, seen)) return [];
    const isSeen = known.seen === seen;
    const todo = isSeen
      ? `see what changed: \`${commandFor({ ...known, status: 'changed' })}\``
      : 'let its client list it behind clawai; `clawai mcp registry list --status changed` then has it';
    return [
      finding('changed-definition', {
        severity: 'high',
        subject: name === '' ? kind : name,
        message: 'it is not what was trusted',
        todo,
      }),
    ];
  });
}

function judgeEntry({ launch, places }: ScanTarget, finder: SecretFinder): readonly ScanFinding[] {
  if (launch === undefined) return [];
  const isShared = places.some((place) => place.isShared);
  return [...judgeLaunch(launch), ...judgeSecrets(launch, finder, isShared)];
}

function toScanned(
  { target, looked }: LookedAt,
  {
    definitions,
    findings,
    skipped,
    finder,
  }: { readonly definitions: readonly Definition[]; readonly finder: SecretFinder } & Pick<ScannedServer, 'findings' | 'skipped'>,
): ScannedServer {
  const { name, clients, places, launch, start } = target;
  const launches = [launch, start.kind === 'startable' ? start.launch : undefined].filter((each) => each !== undefined);
  const hiding = createHiding(launches.flatMap((each) => secretsIn(each, finder)));
  return {
    name,
    clients,
    places,
    launch: showLaunch(launch).map(hiding.own),
    launchFingerprint: fingerprintOf(launch, finder),
    looked: looked.kind === 'not' ? { ...looked, why: hiding.all(looked.why) } : looked,
    definitions: definitions.map(({ kind, name: named, fingerprint }) => ({ kind, name: hiding.own(named), fingerprint })),
    findings: findings.map((found) => hideInFinding(found, hiding)),
    skipped: skipped.map((text) => visible(hiding.all(text))),
  };
}

/** A hash of the launch and of the variables that may decide what a program becomes, without secrets: these may be guessed by a hash. */
function fingerprintOf(launch: ScanTarget['launch'], finder: SecretFinder): string {
  const named = launch === undefined ? {} : launch.kind === 'url' ? launch.headers : launch.env;
  const isPlain = ([name, value]: readonly [string, string]): boolean =>
    launch?.kind === 'command' && finder.find(value, name).length === 0;
  const values = Object.entries(named).map((pair) => (isPlain(pair) ? pair : [pair[0]]));
  return `sha256:${sha256(JSON.stringify([showLaunch(launch), values]))}`;
}

/** The words of a launch without secrets. */
export function showLaunch(launch: ScanTarget['launch']): readonly string[] {
  if (launch === undefined) return [];
  if (launch.kind === 'url') return [showUrl(launch.url)];
  const [command, ...args] = launch.words;
  const shown = maskCommand({ command, args });
  return [shown.command, ...shown.args];
}
