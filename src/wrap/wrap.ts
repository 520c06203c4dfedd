import type { LocatedFile, LocatedPolicy } from '../clients/locate.ts';
import { readAllowLists } from './allow-list.ts';
import type { ChangeOptions } from './files/change-file.ts';
import { askOnce, type IsTracked } from './files/is-tracked.ts';
import { createHiding, ownEntriesOf } from './own-entry.ts';
import type { Portable } from './portable.ts';
import type { Sharing, AnswerTo, RemoteQuestion } from './remote-answer.ts';
import { type FoundServer, isSelected, type Selection } from './read-servers.ts';
import { changeFiles, planFiles, type FileOutcome, type FileWork } from './files/run-files.ts';
import { NO_ROUTES, type Routes } from './routes.ts';
import { wrapFile, type PlannedFile, type WrapRules } from './wrap-file.ts';

export interface WrapRequest extends ChangeOptions {
  /** All files that the present clients read on this machine, from `locateFiles`. */
  readonly located: readonly LocatedFile[];
  /** Administrators' files, from `locatePolicies`. */
  readonly policies: readonly LocatedPolicy[];
  readonly selection: Selection;
  /** The words that start clawai, before `proxy`; from `findLauncher`. */
  readonly launcher: readonly string[];
  /** Absolute path of a policy other than the default one; undefined keeps the entry's flag. */
  readonly policy?: string | undefined;
  /**
   * How shared project files start clawai on every machine, even those under version control; undefined keeps the entry's way, else uses
   * `launcher`.
   */
  readonly portable?: Portable | undefined;
  /** True to copy projects' entries for the user, if the client has a scope that takes precedence. */
  readonly own?: boolean | undefined;
  /** Ids of the clients installed on this machine, if known; undefined counts all as installed. */
  readonly present?: ReadonlySet<string> | undefined;
  /** Tells whether git tracks a file; undefined asks git anew. */
  readonly isTracked?: IsTracked | undefined;
  /** True to wrap projects' files under version control too. */
  readonly sharedToo?: boolean | undefined;
  /** URLs that lead to `clawai serve`; undefined if none are known. */
  readonly routes?: Routes | undefined;
  /** Returns the answers of remote servers that were asked; undefined if none was. */
  readonly answerTo?: AnswerTo | undefined;
  /** Tells whether a person has agreed to what the user's own entry brings along; undefined agrees to none. */
  readonly isAgreed?: WrapRules['isAgreed'];
  /** This clawai's version. */
  readonly version: string;
  readonly now?: (() => Date) | undefined;
}

/** Plans `wrap`, file by file; nothing is written, not even the state folder. */
export function planWrap(request: WrapRequest): readonly FileOutcome<PlannedFile>[] {
  return planFiles(toWork(request));
}

/** Lists the questions to remote servers before they are wrapped: those that nothing else prevents from being wrapped. */
export function remoteQuestions(request: WrapRequest): readonly RemoteQuestion[] {
  // If `clawai serve` is not running, none is wrapped.
  if (request.routes?.origin === undefined) return [];
  const questions: RemoteQuestion[] = [];
  planWrap({
    ...request,
    answerTo(question) {
      questions.push(question);
      return undefined;
    },
  });
  return questions;
}

/**
 * Puts clawai in front of the selected servers. Each file is planned again under its lock, so the report says what was done. A file that
 * can't be changed stays as it was, and its outcome says why, even if only our own state can't be written.
 */
export function applyWrap(request: WrapRequest): Promise<readonly FileOutcome<PlannedFile>[]> {
  return changeFiles(toWork(request));
}

function toWork(request: WrapRequest): FileWork<PlannedFile> {
  const {
    located,
    policies,
    selection,
    launcher,
    portable,
    own = false,
    present,
    isTracked = askOnce(),
    policy,
    sharedToo = false,
    routes = NO_ROUTES,
    answerTo,
    isAgreed,
    version,
    now = () => new Date(),
  } = request;
  const chosen = (server: FoundServer): boolean => isSelected(selection, server);
  const ownEntries = own ? ownEntriesOf(located, chosen) : [];
  const isHidden = createHiding(located, routes, ownEntries);
  /** Tells whether each client that reads the entry (with `--local`, any of them) starts the user's own entry instead. */
  const isLeft = (server: FoundServer): boolean => {
    const readers = located
      .map(({ client }) => client)
      .filter(({ id }) => server.clients.includes(id) && present?.has(id) !== false);
    const hiding = readers.filter((client) => isHidden(client, server));
    return hiding.length > 0 && (own || hiding.length === readers.length);
  };
  const sharing = (server: FoundServer): Sharing | 'own-entry' | undefined => {
    const { file, location } = server.found;
    if (sharedToo || location.isShared !== true) return undefined;
    if (isLeft(server)) return 'own-entry';
    const answer = isTracked(file);
    return answer === 'unknown' ? 'maybe-shared' : answer ? 'shared' : undefined;
  };
  const rules: WrapRules = {
    own: ownEntries,
    launcher,
    portable,
    policy,
    allowLists: readAllowLists(policies),
    sharing,
    routes,
    answerTo,
    isAgreed,
    isNamed: selection.servers !== undefined,
    isSelected: chosen,
    version,
    now,
  };
  return { ...request, located, compute: (group, config, found) => wrapFile(group, { config, found, rules }) };
}
