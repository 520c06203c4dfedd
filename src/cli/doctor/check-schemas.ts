import { schemaState } from '../init/schema-files.ts';
import { type Check, warn } from './check.ts';

/** The schemas for editors that `clawai init` has written into this folder; nothing where there are none, or they are this version's. */
export function checkSchemas(folder: string): readonly Check[] {
  if (schemaState(folder) !== 'old') return [];
  return [warn('schemas', `those for editors in ${folder} are not of this version of clawai`, 'clawai init')];
}
