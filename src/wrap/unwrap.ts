import type { Client } from '../clients/client.ts';
import type { LocatedFile } from '../clients/locate.ts';
import type { ChangeOptions } from './files/change-file.ts';
import { recordedFiles } from './files/recorded-files.ts';
import { changeFiles, planFiles, type FileOutcome, type FileWork } from './files/run-files.ts';
import { NO_ROUTES, type Routes } from './routes.ts';
import { isRecordSelected, isSelected, type Selection } from './select.ts';
import { unwrapFile, type UnwrappedFile } from './unwrap-file.ts';

export interface UnwrapRequest extends ChangeOptions {
  /** Every file that the clients at hand read on this machine, from `locateFiles`; those in our records are added. */
  readonly located: readonly LocatedFile[];
  /** All clients that we know. */
  readonly clients: readonly Client[];
  readonly selection: Selection;
  /** URLs that lead to `clawai serve`; undefined: nothing is known of any but what the records say. */
  readonly routes?: Routes | undefined;
}

/** What `unwrap` would do, file by file; nothing is written. */
export function planUnwrap(request: UnwrapRequest): readonly FileOutcome<UnwrappedFile>[] {
  return planFiles(toWork(request));
}

/**
 * Takes clawai away from the selected servers: the very bytes from before where nobody else wrote the file since, otherwise the values that
 * we changed, and what a person changed since stays. Entries that we have no record of are recovered from their command lines.
 */
export function applyUnwrap(request: UnwrapRequest): Promise<readonly FileOutcome<UnwrappedFile>[]> {
  return changeFiles(toWork(request));
}

function toWork(request: UnwrapRequest): FileWork<UnwrappedFile> {
  const { located, clients, selection, state, routes = NO_ROUTES } = request;
  const rules = {
    isSelected: isSelected.bind(undefined, selection),
    isRecordSelected: isRecordSelected.bind(undefined, selection),
    state,
    routes,
  };
  return {
    ...request,
    located: [...located, ...recordedFiles(state.list().records, clients, located)],
    compute: (group, config, found) => unwrapFile(group, { config, found, rules }),
  };
}
