import type { JsonObject } from './json.ts';

/**
 * Anything that is reviewed. Exactly one of `tool`, `resource` and `prompt` is set for `tools/call`,
 * `resources/read` and `prompts/get`; other methods may carry none.
 */
export interface Call {
  /** JSON-RPC method, e.g. `tools/call`. */
  readonly method: string;
  /** The name the server is known by in the policy. */
  readonly server: string;
  readonly tool?: string;
  /** URI of a resource. */
  readonly resource?: string;
  readonly prompt?: string;
  /** The call's arguments; undefined where none were sent. */
  readonly args?: JsonObject | undefined;
}
