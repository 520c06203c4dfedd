import { homedir } from 'node:os';
import { loadConfig } from '../../../config/config-file.ts';
import { findPolicy } from '../../../config/policy-file.ts';
import { emptyPolicy, loadStartPolicy } from '../../../config/start-policy.ts';
import type { Call } from '../../../core/call.ts';
import type { DetectionFacts, RegistryFacts } from '../../../core/facts.ts';
import { type CompiledPolicy, compilePolicy } from '../../../core/match/compile.ts';
import { explain, type ExplainOptions } from '../../../policy-tools/explain/explain.ts';
import type { Explanation } from '../../../policy-tools/explain/explanation.ts';
import { type PathContext, pathsToResolve } from '../../../core/match/paths-to-resolve.ts';
import { Reading } from '../../../core/match/reading.ts';
import type { DefinitionKind, PinRecord } from '../../../core/registry/definition.ts';
import { matchesTemplate } from '../../../core/registry/uri-template.ts';
import { pinStatus } from '../../../core/registry/trust.ts';
import { ownPathsToResolve } from '../../../core/decide/decide.ts';
import { findReach } from '../../../core/self/find-reach.ts';
import { compileOwnPaths } from '../../../core/self/own-paths.ts';
import type { Snapshot } from '../../../core/decide/snapshot.ts';
import { ClawaiError } from '../../../errors.ts';
import { findingsOf, isApproved } from '../../../gate/detection/findings.ts';
import { pathStyle, realPath } from '../../../host/paths.ts';
import { openRegistryReader } from '../../../store/reading/read-open.ts';
import type { RegisteredDefinition, RegistryReader } from '../../../store/reading/registry-reader.ts';
import { storeFile } from '../../../store/private-file.ts';
import { listOwnPaths, ownFiles } from '../../machine/own-paths.ts';
import { findStdinPolicy } from '../../terminal/streams.ts';
import { readStandings } from '../../wrap/wrap-standing.ts';
import { lookAround } from '../../wrap/wrap-surroundings.ts';
import type { Fixture } from '../fixtures/fixture-case.ts';
import type { PolicyFiles } from './explained.ts';

export interface HereOptions {
  readonly policy: string | undefined;
  readonly config: string | undefined;
  /** The server's working directory, absolute. */
  readonly cwd: string;
  /** True to leave out the policy of the project around it. */
  readonly withoutProject?: boolean;
}

/** This machine, as `clawai proxy` would see it if it were started in a folder. */
interface Here {
  readonly files: PolicyFiles;
  readonly paths: PathContext;
  /** The hash of the policy, as it is on record with each call. */
  readonly hash: string;
  /** All that a decision depends on; undefined where the call names more paths than are looked at, and is denied for that. */
  snapshot(fixture: Fixture): Snapshot | undefined;
  explain(fixture: Fixture, options: ExplainOptions): Explanation;
}

/** Reads what decides on this machine. Throws ClawaiError `policy_*`, `config_*` and `store_*`. */
export async function openHere({ policy: flag, config: configFlag, cwd, withoutProject = false }: HereOptions): Promise<Here> {
  const machine = { env: process.env, platform: process.platform, home: homedir() };
  const found = flag === '-' ? await findStdinPolicy() : findPolicy({ flag, ...machine });
  const config = await loadConfig({ flag: configFlag, ...machine });
  const start = await loadStartPolicy({
    found,
    stateDir: config.stateDir,
    place: { cwd: withoutProject ? machine.home : cwd, home: machine.home },
  });
  const value = start.policy ?? emptyPolicy();
  const isGone = start.kind === 'gone';
  const policy = compilePolicy(value, { project: start.project?.policy, isGone });
  const places = {
    ...machine,
    stateDir: config.stateDir,
    files: ownFiles(flag === '-' ? { ...start, file: undefined } : start, config),
  };
  const platform = pathStyle(machine.platform);
  const own = compileOwnPaths(listOwnPaths(places, realPath), platform);
  const paths: PathContext = { home: machine.home, cwd, platform, remote: false };
  const known = { policy, paths, own };
  const snapshot = ({ call, context = {} }: Fixture): Snapshot | undefined => {
    const facts = readFacts(storeFile(config.stateDir), call, policy);
    const { categories, flows } = context;
    return snapshotOf(call, {
      ...known,
      ...facts,
      ...(categories === undefined ? {} : { categories }),
      ...(flows === undefined ? {} : { flows }),
    });
  };
  return {
    files: {
      user: { file: start.kind === 'shipped' ? found.file : start.file, policy: value },
      project: start.project,
      note: start.kind === 'shipped' ? `there is no policy at ${start.file}, so the shipped default decides` : undefined,
    },
    paths,
    hash: policy.hash,
    snapshot,
    explain(fixture, options) {
      const { call } = fixture;
      const taken = snapshot(fixture);
      if (taken !== undefined) return explain(call, taken, options);
      // The gate denies a call with too many paths before any stage is asked.
      const decision = { action: 'deny', reason: 'too_many_paths', findings: [], policyHash: policy.hash } as const;
      return { call, decision, stages: [], rules: [] };
    },
  };
}

type Machine = Omit<Snapshot, 'realPaths'> & Required<Pick<Snapshot, 'own'>>;

function snapshotOf(call: Call, machine: Machine): Snapshot | undefined {
  const { policy, paths, own } = machine;
  const reading = new Reading(paths);
  const reach = findReach(call, reading, own);
  const wanted = [pathsToResolve(policy, call, reading), ownPathsToResolve(reach, paths, own)];
  if (wanted.includes(undefined)) return undefined;
  const all = wanted.flatMap((each) => [...(each ?? [])]);
  return { ...machine, reading, reach, realPaths: new Map(all.map((path) => [path, realPath(path)])) };
}

type Facts = Pick<Snapshot, 'registry' | 'detection'>;

/** Reads the facts on the called definition and its server; none without a store or a known server. Throws ClawaiError `store_*`. */
function readFacts(file: string, call: Call, policy: CompiledPolicy): Facts {
  const reader = call.origin === 'native' ? undefined : openRegistryReader(file);
  if (reader === undefined) return {};
  try {
    return factsOf(reader, call, policy);
  } finally {
    reader.close();
  }
}

function factsOf(reader: RegistryReader, call: Call, policy: CompiledPolicy): Facts {
  const { server } = call;
  const launch = reader.servers().find((each) => each.server === server);
  if (launch === undefined) return {};
  const found = definitionOf(reader, call);
  const instructions = reader.definition(server, 'instructions', '');
  const isOther = launch.pinned !== undefined && launch.pinned !== launch.seen;
  const registry: RegistryFacts = {
    status: pinStatus(found),
    fingerprint: found?.seen,
    definition: () => (found === undefined ? undefined : reader.definition(server, found.kind, found.name)?.seenText),
    isServerChanged: isOther || pinStatus(instructions) === 'changed',
  };
  const text = registry.definition();
  const detection = found === undefined ? undefined : detectionOf({ found, instructions }, call, policy);
  return { registry: { ...registry, definition: () => text }, ...(detection === undefined ? {} : { detection }) };
}

/** Finds a definition. A resource that is not listed, as most are not, has that of its template. */
function definitionOf(reader: RegistryReader, { server, tool, resource, prompt }: Call): RegisteredDefinition | undefined {
  const name = tool ?? resource ?? prompt;
  if (name === undefined) return undefined;
  const kind: DefinitionKind = tool !== undefined ? 'tool' : resource !== undefined ? 'resource' : 'prompt';
  const found = reader.definition(server, kind, name);
  if (found !== undefined || resource === undefined) return found;
  const templates = reader
    .definitions({ server, kind: 'resource_template' })
    .filter((each) => matchesTemplate(each.name, resource));
  return ['changed', 'pinned', 'new'].flatMap((status) => templates.find((each) => pinStatus(each) === status) ?? [])[0];
}

interface Looked {
  readonly found: RegisteredDefinition;
  readonly instructions: RegisteredDefinition | undefined;
}

/** Returns the facts of detection; undefined if the definition was not looked at yet. */
function detectionOf(
  { found, instructions }: Looked,
  { server, tool }: Call,
  policy: CompiledPolicy,
): DetectionFacts | undefined {
  if (found.detections === undefined) return undefined;
  const isAgreed = instructions === undefined || isApproved(toPin(instructions));
  return {
    findings: findingsOf(policy, found.detections, { server, tool }),
    ofServer: isAgreed ? [] : findingsOf(policy, instructions.detections, { server, tool: undefined }),
    isApproved: isApproved(toPin(found)),
  };
}

function toPin(definition: RegisteredDefinition): PinRecord {
  return { ...definition, isApproved: definition.approvedAt !== undefined };
}

/** This machine by a policy that was found for a recorded call. */
export interface PolicyOfEvent extends Here {
  /** True if it is the very policy that decided, the project's included. */
  readonly isSame: boolean;
}

/**
 * The policy that decided a recorded call: the named one, the one that decides here, or one that a wrapped server is started with, each with and without the
 * project's. Where none of them has that hash any more, the first.
 *
 * @param hash of the policy, as it is on record
 * @returns undefined where none can be read
 */
export async function findPolicyOf(hash: string | undefined, options: HereOptions): Promise<PolicyOfEvent | undefined> {
  let first: Here | undefined;
  const named = options.policy === undefined ? await policiesOfEntries() : [];
  for (const policy of [options.policy, ...named]) {
    for (const withoutProject of [false, true]) {
      const here = await tryHere({ ...options, policy, withoutProject });
      if (here?.hash === hash && here !== undefined) return { ...here, isSame: true };
      first ??= here;
    }
  }
  return first && { ...first, isSame: false };
}

async function tryHere(options: HereOptions): Promise<Here | undefined> {
  try {
    return await openHere(options);
  } catch (error) {
    // A policy with a fault has decided nothing, and `clawai policy lint` says what is wrong with it.
    if (error instanceof ClawaiError && error.code.startsWith('policy_')) return undefined;
    throw error;
  }
}

async function policiesOfEntries(): Promise<readonly string[]> {
  const { files } = await readStandings(await lookAround());
  return [...new Set(files.flatMap(({ servers }) => servers.flatMap(({ policy }) => policy ?? [])))];
}
