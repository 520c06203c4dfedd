import type { ServerChange } from '../decision.ts';
import type { DetectionFacts } from '../detect/facts.ts';

/** `unlisted`: the server was never seen to list it. `new`: it was, and nobody has trusted it yet. */
export type PinStatus = 'unlisted' | 'new' | 'pinned' | 'changed';

/** What is known of the tool, resource or prompt that a call is about, and of its server. */
export interface RegistryFacts {
  readonly status: PinStatus;
  /** The definition that was seen last; undefined for what is unlisted. */
  readonly fingerprint: string | undefined;
  /** The definition that was seen last, as JSON text, where it is needed; undefined where there is none, or it is not kept. */
  readonly definition: () => string | undefined;
  /** What detection found in it; absent where it was not looked at. */
  readonly detection?: DetectionFacts | undefined;
  /** The server is started otherwise than it was when it was trusted, or has other instructions. */
  readonly isServerChanged: boolean;
  /** In what; absent where nothing is, or that is not known. */
  readonly serverChange?: ServerChange | undefined;
}
