import type { Call } from '../../src/core/call.ts';
import { decide, ownPathsToResolve } from '../../src/core/decide/decide.ts';
import { compilePolicy } from '../../src/core/match/compile.ts';
import type { PathContext } from '../../src/core/match/paths-to-resolve.ts';
import { Reading } from '../../src/core/match/reading.ts';
import { findReach } from '../../src/core/self/find-reach.ts';
import { compileOwnPaths, type OwnPaths } from '../../src/core/self/own-paths.ts';
import { policyFrom, POSIX } from './policy.ts';

/** What is ours on the machine of the table tests. */
export const OWN_FILES = [
  '/home/user/.config/clawai',
  '/home/user/.local/state/clawai',
  '/usr/lib/node_modules/clawai',
  '/usr/bin/clawai',
  '/home/user/.claude.json',
  '/home/user/.config/Claude/claude_desktop_config.json',
  '/home/user/Library/Application Support/Claude/claude_desktop_config.json',
];

export function ownOf(files: readonly string[], platform: PathContext['platform'] = 'posix'): OwnPaths {
  return compileOwnPaths(
    files.map((path) => ({ path, real: path, what: 'test' })),
    platform,
  );
}

const OWN = ownOf(OWN_FILES);
const ALLOW = compilePolicy(policyFrom('[defaults]\naction = "allow"'));

export interface OwnWorld {
  readonly paths?: PathContext;
  readonly own?: OwnPaths;
  /** Links of the disk: folder or file to where it leads. */
  readonly links?: Readonly<Record<string, string>>;
}

/** Is this call denied for what it would do to clawai, where the policy allows everything? */
export function isDeniedBySelf(call: Partial<Call>, { paths = POSIX, own = OWN, links = {} }: OwnWorld = {}): boolean {
  const full: Call = { method: 'tools/call', server: 'files', tool: 'any', ...call };
  const wanted = ownPathsToResolve(findReach(full, new Reading(paths), own), paths, own) ?? new Set();
  const realPaths = new Map(Array.from(wanted, (path) => [path, follow(path, links)]));
  const { action, reason } = decide(full, { policy: ALLOW, paths, own, realPaths });
  return action === 'deny' && reason === 'self';
}

function follow(path: string, links: Readonly<Record<string, string>>): string {
  for (const [link, target] of Object.entries(links)) {
    if (path === link || path.startsWith(`${link}/`)) return target + path.slice(link.length);
  }
  return path;
}
