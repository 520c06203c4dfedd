import type { Detection, TextOrigin } from '../core/detect/types.ts';
import type { DefinitionKind } from '../core/registry/definition.ts';

/** What becomes of that in which something was found. `allow`: nothing, since the policy's user knows of it (`suppressed`). */
export type DetectionAction = 'alert' | 'hide' | 'redact' | 'deny' | 'prompt' | 'allow';

/** Something that detection has found. */
export interface DetectionRecord {
  /** Milliseconds since the epoch. */
  readonly time: number;
  readonly session: string;
  readonly server: string;
  /** In what it was found. */
  readonly origin: 'arguments' | TextOrigin;
  /** The definition that it was found in, or that a call was about; undefined for what is about none. */
  readonly subject: { readonly kind: DefinitionKind; readonly name: string } | undefined;
  /** Of the definition that it was found in. */
  readonly fingerprint?: string | undefined;
  /** Of the message that it was found in, or that was answered with it. */
  readonly method?: string | undefined;
  /** Id of the record of the call that it is about. */
  readonly call?: string | undefined;
  readonly detection: Detection;
  readonly action: DetectionAction;
  /** Why the policy's user does not want to hear of it. */
  readonly suppressed?: string | undefined;
}
