/** Process exit codes. `mismatch`: the command ran and the answer is "no". `usage`: it could not be run or evaluated. */
export const EXIT = { ok: 0, mismatch: 1, usage: 2 } as const;

/** Error codes for programs; each is stable once released. */
export type ErrorCode =
  | 'updated_while_running'
  | 'usage'
  | 'person_required'
  | 'policy_not_found'
  | 'policy_unreadable'
  | 'policy_syntax'
  | 'policy_invalid'
  | 'config_not_found'
  | 'config_unreadable'
  | 'config_unwritable'
  | 'config_syntax'
  | 'config_invalid'
  | 'fixture_unreadable'
  | 'fixture_invalid'
  | 'events_unreadable'
  | 'inspect_unreadable'
  | 'server_not_listed'
  | 'command_not_found'
  | 'command_not_executable'
  | 'command_failed'
  | 'listen_failed'
  | 'login_failed'
  | 'store_unreadable'
  | 'store_busy'
  | 'store_corrupt'
  | 'store_newer'
  | 'store_foreign'
  | 'store_unavailable'
  | 'store_read_only'
  | 'store_full'
  | 'client_config_unreadable'
  | 'client_config_unwritable'
  | 'client_config_busy'
  | 'wrap_state_unwritable'
  | 'remote_state_damaged'
  | 'remote_state_unusable';

/** A place in a file: 1-based line and column, as editors count. */
export interface Place {
  readonly file: string;
  readonly line?: number | undefined;
  readonly column?: number | undefined;
}

/** One thing that is wrong with a file, with what to do about it. */
export interface Fault {
  readonly place: Place;
  readonly message: string;
  readonly hint?: string | undefined;
}

export interface ClawaiErrorInit {
  readonly code: ErrorCode;
  readonly place?: Place | undefined;
  readonly hint?: string | undefined;
  /** Everything that is wrong, where that may be several things; the message only sums them up. */
  readonly faults?: readonly Fault[] | undefined;
  readonly cause?: unknown;
}

/**
 * The one error class meant for people: what happened (`message`), where (`place`), what to do (`hint`);
 * or several such `faults`, in the order of their file. Anything else that is thrown is a bug; it crashes a command and denies in the proxy.
 */
export class ClawaiError extends Error {
  readonly code: ErrorCode;
  readonly place: Place | undefined;
  readonly hint: string | undefined;
  readonly faults: readonly Fault[];

  constructor(message: string, init: ClawaiErrorInit) {
    super(message, { cause: init.cause });
    this.name = 'ClawaiError';
    this.code = init.code;
    this.place = init.place;
    this.hint = init.hint;
    this.faults = init.faults ?? [];
  }
}

/** Everything that an error says is wrong, one by one. `file` is what it is about where it names no place. */
export function faultsOf({ faults, message, place, hint }: ClawaiError, file: string): readonly Fault[] {
  return faults.length > 0 ? faults : [{ place: place ?? { file }, message, hint }];
}

/** Formats a place as `file:line:column`, leaving out what is unknown. */
export function formatPlace(place: Place): string {
  const parts: (string | number)[] = [place.file];
  if (place.line !== undefined) parts.push(place.line);
  if (place.line !== undefined && place.column !== undefined) parts.push(place.column);
  return parts.join(':');
}
