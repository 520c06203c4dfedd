import type { LocatedFile, LocatedPolicy } from '../clients/locate.ts';
import { readAllowLists } from './allow-list.ts';
import type { ChangeOptions } from './files/change-file.ts';
import { isTracked } from './files/is-tracked.ts';
import { createHiding, ownEntriesOf } from './own-entry.ts';
import type { Portable } from './portable.ts';
import type { Sharing, AnswerTo, RemoteQuestion } from './remote-answer.ts';
import { type FoundServer, isSelected, type Selection } from './read-servers.ts';
import { changeFiles, planFiles, type FileOutcome, type FileWork } from './files/run-files.ts';
import { NO_ROUTES, type Routes } from './routes.ts';
import { wrapFile, type PlannedFile, type WrapRules } from './wrap-file.ts';

export interface WrapRequest extends ChangeOptions {
  /** Every file that the clients at hand read on this machine, from `locateFiles`. */
  readonly located: readonly LocatedFile[];
  /** Administrators' files, from `locatePolicies`. */
  readonly policies: readonly LocatedPolicy[];
  readonly selection: Selection;
  /** The words that start clawai, before `proxy`; from `findLauncher`. */
  readonly launcher: readonly string[];
  /** Absolute path of the policy where it isn't the default one; undefined keeps what an entry says. */
  readonly policy?: string | undefined;
  /** How files of projects start clawai on every machine, also those under version control; undefined: as before, else as here. */
  readonly portable?: Portable | undefined;
  /** The user gets an entry of their own for those of projects, where the client has a scope for it that goes before. */
  readonly own?: boolean | undefined;
  /** Ids of the clients that are on this machine, as far as anybody knows; undefined: all of them. */
  readonly present?: ReadonlySet<string> | undefined;
  /** Also the files of projects that are under version control. */
  readonly sharedToo?: boolean | undefined;
  /** URLs that lead to `clawai serve`; undefined: nothing is known of any. */
  readonly routes?: Routes | undefined;
  /** What remote servers answered that were asked; undefined: none was. */
  readonly answerTo?: AnswerTo | undefined;
  /** Of this clawai. */
  readonly version: string;
  readonly now?: (() => Date) | undefined;
}

/** What `wrap` would do, file by file; nothing is written, not even the state folder. */
export function planWrap(request: WrapRequest): readonly FileOutcome<PlannedFile>[] {
  return planFiles(toWork(request));
}

/** What to ask which remote servers before they are wrapped: those that nothing else keeps from it. */
export function remoteQuestions(request: WrapRequest): readonly RemoteQuestion[] {
  // Where `clawai serve` is not running, none is wrapped.
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
 * Puts clawai in front of the selected servers. Each file is planned again on what it holds when it is locked, so what is reported is what
 * was done. A file that can't be changed is as it was, and its outcome says why, also where it is our own state that can't be written.
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
    policy,
    sharedToo = false,
    routes = NO_ROUTES,
    answerTo,
    version,
    now = () => new Date(),
  } = request;
  const tracked = new Map<string, boolean | 'unknown'>();
  const chosen = (server: FoundServer): boolean => isSelected(selection, server);
  const ownEntries = own ? ownEntriesOf(located, chosen) : [];
  const isHidden = createHiding(located, routes, ownEntries);
  /** Does each client that reads the entry, or with --local any, start the user's own in its place? */
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
    const answer = tracked.get(file) ?? isTracked(file);
    tracked.set(file, answer);
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
    isNamed: selection.servers !== undefined,
    isSelected: chosen,
    version,
    now,
  };
  return { ...request, located, compute: (group, config, found) => wrapFile(group, { config, found, rules }) };
}
