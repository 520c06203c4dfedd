/** How the server whose calls are judged sees paths. */
export interface PathContext {
  /** Home of the user that the server runs as; empty when unknown, then `~` stays. */
  readonly home: string;
  /** Working directory of the server, absolute. */
  readonly cwd: string;
  /** Other folders, absolute, that the server may take relative paths from: those that its command line names. */
  readonly roots?: readonly string[];
  readonly platform: 'posix' | 'macos' | 'windows';
  /** The server runs elsewhere: nothing is resolved on this disk. */
  readonly remote: boolean;
}
