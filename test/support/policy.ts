import type { Call } from '../../src/core/call.ts';
import { decide } from '../../src/core/decide/decide.ts';
import type { Decision } from '../../src/core/decision.ts';
import type { DetectionFacts, RegistryFacts } from '../../src/core/facts.ts';
import type { JsonObject } from '../../src/core/json.ts';
import { type CompiledPolicy, compilePolicy } from '../../src/core/match/compile.ts';
import type { PathContext } from '../../src/core/match/paths-to-resolve.ts';
import { compileRegex } from '../../src/core/patterns/regex.ts';
import { parsePolicy } from '../../src/core/policy/parse.ts';
import type { Policy } from '../../src/core/policy/tables.ts';
import type { OwnPaths } from '../../src/core/self/own-paths.ts';
import type { PolicySource } from '../../src/gate/ports/ports.ts';

export const POSIX: PathContext = { home: '/home/user', cwd: '/home/user/project', platform: 'posix', remote: false };
export const MACOS: PathContext = { home: '/Users/user', cwd: '/Users/user/project', platform: 'macos', remote: false };
export const WINDOWS: PathContext = {
  home: 'C:\\Users\\user',
  cwd: 'C:\\Users\\user\\project',
  platform: 'windows',
  remote: false,
};

/** Parses a policy that must be valid. */
export function policyFrom(text: string): Policy {
  const result = parsePolicy(text, { file: 'test.toml', regex: compileRegex });
  if (!result.ok) throw new Error(`the test's policy is faulty: ${JSON.stringify(result)}`);
  return result.policy;
}

/** A policy that never changes. */
export function fixedPolicy(policy: CompiledPolicy): PolicySource {
  return { refresh: () => true, current: () => policy, takeChanges: () => [] };
}

export interface World {
  readonly paths?: PathContext;
  readonly own?: OwnPaths;
  readonly registry?: RegistryFacts;
  readonly detection?: DetectionFacts;
  /** Links of the disk: absolute path to real path. */
  readonly links?: Readonly<Record<string, string>>;
}

/** Decides one call by a policy's text. */
export function decideBy(text: string, call: Partial<Call>, { paths = POSIX, links = {}, ...known }: World = {}): Decision {
  const full: Call = { method: 'tools/call', server: 'files', ...call };
  const snapshot = { policy: compilePolicy(policyFrom(text)), paths, realPaths: new Map(Object.entries(links)) };
  return decide(full, { ...snapshot, ...known });
}

/** Does a rule with this action and this `args` line match these arguments? */
export function ruleMatches(
  action: 'allow' | 'deny' | 'prompt',
  line: string,
  args: JsonObject | undefined,
  world?: World,
): boolean {
  const text = `[[rule]]\naction = "${action}"\ntool = "**"\n${line}\n`;
  return decideBy(text, { tool: 'any_tool', args }, world).rule !== undefined;
}

/** Says for which of the two polarities a rule with this `args` line matches. */
export function polarities(
  line: string,
  args: JsonObject | undefined,
  world?: World,
): 'both' | 'possible' | 'certain' | 'neither' {
  const possible = ruleMatches('deny', line, args, world);
  const certain = ruleMatches('allow', line, args, world);
  if (possible && certain) return 'both';
  if (possible) return 'possible';
  return certain ? 'certain' : 'neither';
}
