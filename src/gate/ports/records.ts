import type { Detection, TextOrigin } from '../../core/detect/types.ts';
import type { DefinitionKind } from '../../core/registry/definition.ts';
import type { OfferedField } from '../../core/registry/offered-tool.ts';

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

/** A tool that a request offers to a model otherwise than its server has listed it. */
export interface OfferedDiffersRecord {
  /** Milliseconds since the epoch. */
  readonly time: number;
  readonly session: string;
  /** Id of the request, of our own making. */
  readonly request: string;
  readonly server: string;
  readonly tool: string;
  /** What the request calls it. */
  readonly name: string;
  readonly fields: readonly OfferedField[];
  /** Fingerprint of what the server listed last, and SHA-256 of what is offered, in the same form. */
  readonly listed: string | undefined;
  readonly offered: string;
  /** What the model is told that it does. */
  readonly description: string;
}

/** A connection to a remote server that was refused because of what was found at the other end. */
export interface ConnectionRecord {
  readonly time: number;
  readonly session: string;
  readonly server: string;
  /** Host and port. */
  readonly address: string;
  /** What was wrong, for people. */
  readonly problem: string;
  /** Fingerprints of the key that was to be there, and of the one that was. */
  readonly expected: string;
  readonly found: string;
}

/** What was asked of an LLM provider, or what it has answered, as it is kept: without secrets, and within bounds. */
export interface BodyRecord {
  /** Milliseconds since the epoch. */
  readonly time: number;
  readonly session: string;
  readonly kind: 'request' | 'answer';
  /** The provider's name, and the API that it speaks. */
  readonly provider: string;
  readonly dialect: string;
  /** Id of the request, of our own making; calls in its answer are recorded with it. */
  readonly request: string;
  /** JSON text. */
  readonly json: string;
  /** Why something is not in it, each reason once. */
  readonly cuts: ReadonlySet<'too_long' | 'too_many_members' | 'too_many_values' | 'too_deep' | 'too_large'>;
}

/**
 * What became of a request for an answer of a model: its answer was looked at, it was refused since nobody could do that, or it passed all the same
 * (`unlooked`) where clawai only observes.
 */
export type RequestFate = 'looked' | 'refused' | 'unlooked';
export type RequestCounts = Readonly<Record<RequestFate, number>>;

/** How many requests there were, told when no more can come. */
export interface ModelRequestsRecord {
  readonly time: number;
  readonly session: string;
  readonly counts: RequestCounts;
}
