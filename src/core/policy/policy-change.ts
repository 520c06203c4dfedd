/** What became of a policy file that changed while it was in use. */
export interface PolicyChange {
  /**
   * `loaded`: it decides from now on. `kept`: what is there now can't be used, so the last good one goes on deciding. `gone`: there is
   * none any more, so every call is denied.
   */
  readonly status: 'loaded' | 'kept' | 'gone';
  /** Whose it is. */
  readonly source: 'user' | 'project';
  readonly file: string;
  /** What is wrong with it, in one line; undefined where nothing is. */
  readonly problem: string | undefined;
  /** Hash of the policy that decides from now on, as `CompiledPolicy` has it. */
  readonly hash: string;
}
