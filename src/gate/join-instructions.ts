import type { Definition } from '../core/registry/definition.ts';
import { combineDefinitions } from '../core/registry/fingerprint.ts';

/** Both, where a server was greeted twice before anything could be recorded: the model may go by either. */
export function joinInstructions(earlier: Definition | undefined, later: Definition): Definition {
  return earlier === undefined || earlier.fingerprint === later.fingerprint ? later : combineDefinitions([earlier, later]);
}
