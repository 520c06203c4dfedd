import type * as Sqlite from 'node:sqlite';

/**
 * Loads Node's SQLite. Node 22 warns on stderr that it is experimental. That one warning is dropped, since the user can do nothing about
 * it.
 */
export function loadSqlite(): typeof Sqlite {
  const { emitWarning } = process;
  process.emitWarning = (warning: string | Error, ...rest: unknown[]): void => {
    if (String(warning).startsWith('SQLite is an experimental feature')) return;
    Reflect.apply(emitWarning, process, [warning, ...rest]);
  };
  try {
    return process.getBuiltinModule('node:sqlite');
  } finally {
    process.emitWarning = emitWarning;
  }
}
