/** The shape that most clients took over from Claude Desktop: `command`, `args`, `env`, or `url`. */
export const PLAIN: EntryShape = { stdio: 'command', env: 'env', urls: ['url'] };

export const NO_LOCK: LockProtocol = { kind: 'none' };

/** The machine's facts on which the paths of clients' files depend; nothing here reads process globals. */
export interface Machine {
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly platform: NodeJS.Platform;
  /** Home directory of the user. */
  readonly home: string;
}

/** The extensions of RFC 8259 that a client's parser accepts. A byte order mark at the start is always accepted, and kept. */
export interface JsonSyntax {
  readonly comments: boolean;
  readonly trailingCommas: boolean;
}

/** The syntax of a file. Of these that have a name, the parser must be loaded first: `loadFormats`. */
export type Syntax = JsonSyntax | FormatName;

export type FormatName = 'json5' | 'toml' | 'yaml';

/** A way down into a JSON object: keys, not escaped. */
export type JsonPath = readonly string[];

/** The scope in which a file counts. Files of scope `managed` belong to an administrator and are never written. */
export type Scope = 'user' | 'local' | 'project' | 'managed';

export type PlatformName = 'darwin' | 'linux' | 'win32';

/**
 * Path templates, of which the first whose variable is set and absolute counts. A template is `BASE/segment/segment`; a `*` in a
 * segment stands for any characters of one file name, a segment `**` for up to five folders. BASE is `~`, `$VARIABLE`, `<project>`, an
 * absolute folder, or one of `<config>` (XDG), `<data>` (where desktop apps keep settings), `<local>` (%LOCALAPPDATA%), `<shared>`
 * (%ProgramData%) and `<programs>` (%ProgramFiles%).
 */
export type PathTemplates = readonly string[];

/**
 * The form of a server that is started as a process.
 * - `command`: `command` a string, `args` an array of strings that may be absent
 * - `argv`: `command` is the whole array
 * - `command-or-path`: as `command`, or nested `command: { path, args }`
 * - `command-or-transport`: as `command`, or nested `transport: { command, args }`
 * - `cmd`: as `command`, under the key `cmd`
 */
export type StdioShape = 'command' | 'argv' | 'command-or-path' | 'command-or-transport' | 'cmd';

export interface EntryShape {
  readonly stdio: StdioShape;
  /** The key of the environment, beside the command. */
  readonly env: string;
  /** Keys that hold the URL of a remote server, e.g. `url`, `serverUrl`, `httpUrl`. */
  readonly urls: readonly string[];
  /** The key that switches an entry off, and the value it then has; undefined if the client keeps that elsewhere. */
  readonly disabled?: { readonly key: string; readonly when: boolean } | undefined;
  /** Values of `type` that mean neither a process nor a URL we can stand in front of. */
  readonly otherTypes?: readonly string[] | undefined;
  /** True where an entry without command and URL only adjusts a server that is defined elsewhere. */
  readonly mayLackCommand?: boolean | undefined;
}

/**
 * The lock that keeps the client from writing its file while we do.
 * - `none`: the client locks nothing
 * - `directory`: whoever makes the folder `<file>.lock` holds it and touches it now and then; beside the path as the client knows it,
 *   not beside what a symbolic link there leads to
 * - `owned-directory`: as `directory`, and the folder holds a file `owner.<token>`
 */
type LockProtocol =
  | { readonly kind: 'none' }
  | {
      readonly kind: 'directory' | 'owned-directory';
      /** Age of its mtime at which a lock may be taken over. */ readonly staleAfterMs: number;
    };

/** One file, or one family of files, where a client reads servers. */
export interface Location {
  /** The stable id, unique within the client: it goes into recorded state. */
  readonly id: string;
  readonly scope: Scope;
  /** Templates, the same everywhere or by platform; a platform that is absent has no such file. */
  readonly file: PathTemplates | Readonly<Partial<Record<PlatformName, PathTemplates>>>;
  readonly syntax: Syntax;
  /** Objects whose members are servers, or lists of servers with a `name`; `*` stands for any key. */
  readonly tables: readonly (readonly string[])[];
  readonly shape: EntryShape;
  readonly lock: LockProtocol;
  /** True when the file's owner rewrites it at will, so that the whole file may differ soon after we wrote it. */
  readonly isRewrittenByClient?: boolean | undefined;
  /** True when teams commit the file, so that absolute paths in it reach other machines. */
  readonly isShared?: boolean | undefined;
  /** The location whose entries the client leaves out where this one has the same name for the project, for which its table has `*`. */
  readonly hides?: Hidden | undefined;
  /** True for the files of plugins and extensions, which the next update of theirs overwrites. */
  readonly isPluginCache?: boolean | undefined;
  readonly remarks?: readonly Remark[] | undefined;
}

export interface Hidden {
  /** The id of the location whose entries are left out. */
  readonly location: string;
  /** Key beside the table of a list with the names of those entries that the user does not want started. */
  readonly refused: string;
}

/** Something a person has to know before or after the file is changed. */
export interface Remark {
  readonly id: RemarkId;
  /** One sentence, no final full stop. */
  readonly text: string;
  /** The key that an entry must have (set to anything but false or null) for this to be worth saying; undefined: always. */
  readonly ifEntryHas?: string | undefined;
}

export type RemarkId =
  | 'restart'
  | 'quit-first'
  | 'approval-reset'
  | 'approval-kept'
  | 'allow-list'
  | 'sandbox'
  | 'debugging'
  | 'plugin-cache'
  | 'store-package'
  | 'rewrites-file'
  | 'shared-file'
  | 'environment-stripped'
  | 'transport-guess'
  | 'exclusive'
  | 'minted-tokens'
  | 'other-readers'
  | 'package-check'
  | 'legacy';

export interface Client {
  /** The stable id, in kebab-case: `--client` takes it and recorded state holds it. */
  readonly id: string;
  /** The client's name as its maker writes it. */
  readonly name: string;
  /** The client's name in MCP's `clientInfo`: nobody checks that, so it is good for a person to read and for no decision. */
  readonly infoName: RegExp;
  /** True for apps started from a desktop, which do not have the shell's PATH. */
  readonly isDesktopApp: boolean;
  readonly locations: readonly Location[];
  /** Files to look at and never to write, with what they mean for us. */
  readonly policyFiles?: readonly PolicyFile[] | undefined;
  readonly remarks?: readonly Remark[] | undefined;
}

/** An administrator's file that may forbid servers by exact command, which a wrapped entry no longer has. */
export interface PolicyFile {
  readonly file: PathTemplates | Readonly<Partial<Record<PlatformName, PathTemplates>>>;
  readonly syntax: JsonSyntax;
  /** Top-level keys that, when present, list servers by name, command or URL. */
  readonly keys: readonly string[];
  readonly remark: Remark;
}

export const STRICT: JsonSyntax = { comments: false, trailingCommas: false };
export const COMMENTS: JsonSyntax = { comments: true, trailingCommas: false };
export const LENIENT: JsonSyntax = { comments: true, trailingCommas: true };
