import { ClawaiError, type ErrorCode } from '../../errors.ts';

/** SQLite's result codes that have something to say to people: https://www.sqlite.org/rescode.html */
const SQLITE = { error: 1, busy: 5, locked: 6, corrupt: 11, notADatabase: 26 } as const;

const LEAVE_IT = 'move the file away and a new one is begun; keep it where what it holds may be evidence';

/** What SQLite reported about a store that is only read, as an error for people. What SQLite did not report is returned as it is. */
export function toReadFault(file: string, thrown: unknown): unknown {
  const code = sqliteCode(thrown);
  if (code === undefined) return thrown;
  const fault = (message: string, name: ErrorCode, hint: string): ClawaiError =>
    new ClawaiError(`${file} ${message}`, { code: name, hint, cause: thrown });
  switch (code) {
    case SQLITE.busy:
    case SQLITE.locked:
      return fault('is in use by another process', 'store_busy', 'try again in a moment');
    case SQLITE.notADatabase:
      return fault('is no store of clawai: it is not an SQLite file, or its beginning is damaged', 'store_foreign', LEAVE_IT);
    case SQLITE.corrupt:
      return fault('is damaged', 'store_corrupt', LEAVE_IT);
    case SQLITE.error:
      // What is asked for is fixed, so it is the tables that are other than they should be.
      return fault(`is damaged: ${messageOf(thrown)}`, 'store_corrupt', LEAVE_IT);
    default:
      return fault(
        `cannot be read: ${messageOf(thrown)}`,
        'store_unreadable',
        'see that it and its folder may be read by you, and that the disk works',
      );
  }
}

/** The primary result code, or undefined where this is no error of SQLite's. */
export function sqliteCode(thrown: unknown): number | undefined {
  if (!(thrown instanceof Error) || !('errcode' in thrown) || typeof thrown.errcode !== 'number') return undefined;
  return thrown.errcode & 0xff;
}

function messageOf(thrown: unknown): string {
  return thrown instanceof Error ? thrown.message : String(thrown);
}
