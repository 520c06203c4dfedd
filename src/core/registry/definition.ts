/** What a server declares. */
export const DEFINITION_KINDS = ['tool', 'resource', 'resource_template', 'prompt', 'instructions'] as const;
export type DefinitionKind = (typeof DEFINITION_KINDS)[number];

/** One thing that a server declares. */
export interface Definition {
  readonly kind: DefinitionKind;
  /** Its name; the URI of a resource, the URI template of a template, empty for instructions. */
  readonly name: string;
  /** Canonical JSON (RFC 8785) of the whole of it. */
  readonly text: string;
  /** `sha256:` and 64 hex digits: SHA-256 of `text`. */
  readonly fingerprint: string;
}

/** What is known of a definition. */
export interface PinRecord {
  readonly kind: DefinitionKind;
  readonly name: string;
  /** The fingerprint that is trusted; undefined where none is yet. */
  readonly pinned: string | undefined;
  /** The fingerprint that was seen last. */
  readonly seen: string;
  /** False where the last whole listing did not have it. */
  readonly isListed: boolean;
  /** A person has said yes to `pinned`; trust on first use is nobody's. */
  readonly isApproved?: boolean;
}

/** A change of what is known. Fields that are absent stay as they are; `pinned` is set for what was never pinned, and for nothing else. */
export interface PinWrite {
  readonly kind: DefinitionKind;
  readonly name: string;
  /** What was seen just now. */
  readonly seen?: Definition;
  /** What was seen just now is trusted from now on. */
  readonly isPinned?: true;
  readonly isListed: boolean;
}

export type SightStatus = 'new' | 'unchanged' | 'changed' | 'restored' | 'returned';

/** What became of one definition in a listing. */
export interface Sight {
  readonly definition: Definition;
  readonly status: SightStatus;
  /** The trusted fingerprint, where it is another one. */
  readonly pinned?: string | undefined;
  /** A definition that has gone, and was once the same but for its name, as it was seen last or as it is trusted. */
  readonly renamedFrom?: string | undefined;
}

/** One member of a definition that changed. */
export interface FieldChange {
  /** Where it is, as in `inputSchema.properties.path.description`. */
  readonly field: string;
  /** What is left of its text when that is cut; undefined where there was, or is, none. */
  readonly previous: string | undefined;
  readonly next: string | undefined;
  /** Both are strings as they are, not JSON text. */
  readonly isPlain?: true;
}
