/** Kinds of declarations. */
export const DEFINITION_KINDS = ['tool', 'resource', 'resource_template', 'prompt', 'instructions'] as const;
export type DefinitionKind = (typeof DEFINITION_KINDS)[number];

/** One declaration of a server. */
export interface Definition {
  readonly kind: DefinitionKind;
  /** Its name; the URI of a resource, the URI template of a template, empty for instructions. */
  readonly name: string;
  /** Canonical JSON (RFC 8785) of the whole definition. */
  readonly text: string;
  /** `sha256:` and 64 hex digits: SHA-256 of `text`. */
  readonly fingerprint: string;
}

/** The registry's record of a definition. */
export interface PinRecord {
  readonly kind: DefinitionKind;
  readonly name: string;
  /** The trusted fingerprint; undefined if there is none yet. */
  readonly pinned: string | undefined;
  /** The fingerprint that was seen last. */
  readonly seen: string;
  /** False if the last whole listing did not have it. */
  readonly isListed: boolean;
  /** True if a person approved `pinned`; trust on first use is no approval. */
  readonly isApproved?: boolean;
}

/** A change to a record. Absent fields stay as they are; `pinned` is only set for a definition that was never pinned. */
export interface PinWrite {
  readonly kind: DefinitionKind;
  readonly name: string;
  /** The definition that was seen just now. */
  readonly seen?: Definition;
  /** Set if the definition seen just now becomes trusted. */
  readonly isPinned?: true;
  readonly isListed: boolean;
}

export type SightStatus = 'new' | 'unchanged' | 'changed' | 'restored' | 'returned';

/** The status of one definition in a listing. */
export interface Sight {
  readonly definition: Definition;
  readonly status: SightStatus;
  /** The trusted fingerprint, if it differs. */
  readonly pinned?: string | undefined;
  /** The name of a gone definition that was once the same except for its name, as it was seen last or as it is trusted. */
  readonly renamedFrom?: string | undefined;
}

/** One changed member of a definition. */
export interface FieldChange {
  /** Its path, as in `inputSchema.properties.path.description`. */
  readonly field: string;
  /** Its old text, cut to the difference; undefined if there was, or is, none. */
  readonly previous: string | undefined;
  readonly next: string | undefined;
  /** Set if both are plain strings, not JSON text. */
  readonly isPlain?: true;
}
