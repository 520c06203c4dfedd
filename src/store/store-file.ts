import { join } from 'node:path';

/** Where the store lies: one file in the folder that clawai keeps its state in, with SQLite's own files beside it. */
export function storeFile(stateDirectory: string): string {
  return join(stateDirectory, 'clawai.db');
}
