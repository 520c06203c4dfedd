import { join } from 'node:path';

/** Returns the path of the store, one file in clawai's state folder. SQLite's own files lie beside it. */
export function storeFile(stateDirectory: string): string {
  return join(stateDirectory, 'clawai.db');
}
