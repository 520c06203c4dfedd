import type { Severity } from '../core/finding.ts';
import type { DefinitionKind } from '../core/registry/definition.ts';

/** The place of a server's entry in a config. */
export interface EntryPlace {
  /** The config's absolute path. */
  readonly file: string;
  /** 1-based line of the entry's key. */
  readonly line: number;
  /** RFC 6901. */
  readonly pointer: string;
  /** True if a team gets the file. */
  readonly isShared: boolean;
}

/** The way in which a client starts or reaches a server, with everything that the entry says about it. */
export type ScanLaunch =
  | {
      readonly kind: 'command';
      readonly words: readonly [string, ...string[]];
      readonly env: Readonly<Record<string, string>>;
    }
  | { readonly kind: 'url'; readonly url: string; readonly headers: Readonly<Record<string, string>> };

/** One judgement of a scan. */
export interface ScanFinding {
  /** A key of `FINDING_KINDS`, or `detection/` and the id of detection's rule. */
  readonly id: string;
  readonly severity: Severity;
  /** The tool, variable or package that it is about; empty for a server or file as a whole. */
  readonly subject: string;
  /** A phrase whose subject is that, without full stop. */
  readonly message: string;
  /** The words that detection found; never saved. */
  readonly quote?: string | undefined;
  /** An order to a person, without full stop. */
  readonly todo: string;
  /** The words that detection found, with those around them; never saved. */
  readonly quotes?: readonly string[];
}

/** A definition as a scan remembers it. */
export interface ScannedDefinition {
  readonly kind: DefinitionKind;
  readonly name: string;
  readonly fingerprint: string;
}

/** The source of a server's definitions, or why there are none: a phrase, and an order to a person. */
export type Looked =
  | { readonly kind: 'asked' | 'recorded' }
  | {
      readonly kind: 'not';
      readonly why: string;
      readonly todo: string;
      /** True where its client does not start it either. */
      readonly isOff?: true;
    };

/** One server of one or several clients, and what was found. */
export interface ScannedServer {
  readonly name: string;
  /** Ids of its clients. */
  readonly clients: readonly string[];
  /** Its entries; the first one identifies the server between two scans. */
  readonly places: readonly [EntryPlace, ...EntryPlace[]];
  /** The words of its command line or its URL, without secrets. */
  readonly launch: readonly string[];
  /** Fingerprint of its launch, without its secrets. */
  readonly launchFingerprint: string;
  readonly looked: Looked;
  readonly definitions: readonly ScannedDefinition[];
  /** The most severe first. */
  readonly findings: readonly ScanFinding[];
  /** Parts that were not looked at, and why. */
  readonly skipped: readonly string[];
}

/** A config, and what was found in the file itself. */
export interface ScannedFile {
  readonly file: string;
  readonly clients: readonly string[];
  readonly findings: readonly ScanFinding[];
  /** The reason why its servers are not known, a sentence without full stop. */
  readonly problem?: string | undefined;
}

export interface Scan {
  /** Milliseconds since the epoch. */
  readonly time: number;
  readonly servers: readonly ScannedServer[];
  readonly files: readonly ScannedFile[];
}

/** Tells whether all that a client would start of it was looked at. */
export function isComplete({ looked, skipped }: Pick<ScannedServer, 'looked' | 'skipped'>): boolean {
  return (looked.kind !== 'not' || looked.isOff === true) && skipped.length === 0;
}

/** Tells whether all was looked at. */
export function isWhole({ servers, files }: Scan): boolean {
  return servers.every(isComplete) && files.every(({ problem }) => problem === undefined);
}

/** Characters of a quote that a message has room for. */
const MOST_QUOTED = 60;

/** The message, with the words that it is about. */
export function messageOf({ message, quote }: ScanFinding): string {
  if (quote === undefined) return message;
  return `${message}: ${JSON.stringify(quote.length > MOST_QUOTED ? `${quote.slice(0, MOST_QUOTED)}…` : quote)}`;
}

/** Identifies a server between two scans: its name in its first config. */
export function serverKey({ name, places: [first] }: Pick<ScannedServer, 'name' | 'places'>): string {
  return `${first.file}${first.pointer}\0${name}`;
}
