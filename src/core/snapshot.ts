import type { CompiledPolicy } from './policy/compile.ts';
import type { PathContext } from './policy/paths.ts';

/** Everything a decision depends on besides the call itself, as a value: taken once, then never changing. */
export interface Snapshot {
  readonly policy: CompiledPolicy;
  /** How the server sees paths. */
  readonly paths: PathContext;
  /**
   * Real path of each absolute path that `pathsToResolve(policy, call, paths)` named. A path that is missing here
   * counts as its own real path (a remote server's, or a fixture's, which must not depend on this disk).
   */
  readonly realPaths: ReadonlyMap<string, string>;
}
