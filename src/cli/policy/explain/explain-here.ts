import { homedir } from 'node:os';
import { loadConfig } from '../../../config/config-file.ts';
import { findPolicy } from '../../../config/policy-file.ts';
import { loadStartPolicy } from '../../../config/start-policy.ts';
import type { Call } from '../../../core/call.ts';
import { compilePolicy } from '../../../core/policy/compile.ts';
import { explain, type ExplainOptions } from '../../../core/policy/explain/explain.ts';
import type { Explanation } from '../../../core/policy/explain/explanation.ts';
import { createReading } from '../../../core/policy/match-context.ts';
import { type PathContext, pathsToResolve } from '../../../core/policy/paths.ts';
import { ownPathsToResolve } from '../../../core/self/decide-by-self.ts';
import { findReach } from '../../../core/self/find-reach.ts';
import { compileOwnPaths } from '../../../core/self/own-paths.ts';
import type { Snapshot } from '../../../core/snapshot.ts';
import { pathStyle } from '../../../host/path-style.ts';
import { realPath } from '../../../host/real-path.ts';
import { storeFile } from '../../../store/store-file.ts';
import type { Fixture } from '../fixtures/fixture-case.ts';
import { listOwnPaths } from '../../machine/own-paths.ts';
import { ownFiles } from '../../machine/own-files.ts';
import { findStdinPolicy } from '../../terminal/stdin.ts';
import { readFacts } from './read-facts.ts';
import type { PolicyFiles } from './policy-files.ts';

export interface HereOptions {
  readonly policy: string | undefined;
  readonly config: string | undefined;
  /** The server's working directory, absolute. */
  readonly cwd: string;
  /** The policy of the project around it is left out. */
  readonly withoutProject?: boolean;
}

/** This machine, as `clawai proxy` would see it if it were started in a folder. */
export interface Here {
  readonly files: PolicyFiles;
  readonly paths: PathContext;
  /** Of what decides, as it is on record with each call. */
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
  const value = start.policy ?? start.empty;
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
    const { categories } = context;
    return snapshotOf(call, { ...known, ...facts, ...(categories === undefined ? {} : { categories }) });
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
      // The gate denies such a call before anything is asked.
      const decision = { action: 'deny', reason: 'too_many_paths', findings: [], policyHash: policy.hash } as const;
      return { call, decision, stages: [], rules: [] };
    },
  };
}

type Machine = Omit<Snapshot, 'realPaths'> & Required<Pick<Snapshot, 'own'>>;

function snapshotOf(call: Call, machine: Machine): Snapshot | undefined {
  const { policy, paths, own } = machine;
  const reading = createReading(call.args);
  const reach = findReach(call, paths, own);
  const wanted = [pathsToResolve(policy, call, paths, { reading }), ownPathsToResolve(reach, paths, own)];
  if (wanted.includes(undefined)) return undefined;
  const all = wanted.flatMap((each) => [...(each ?? [])]);
  return { ...machine, reading, reach, realPaths: new Map(all.map((path) => [path, realPath(path)])) };
}
