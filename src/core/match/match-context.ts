import type { JsonObject } from '../json.ts';
import { type PathContext, toSlashes } from '../paths/absolute-path.ts';
import { selectArgs, type Selection } from './args.ts';
import type { PathForms } from '../paths/path-forms.ts';
import type { ArgStep } from '../policy/types.ts';
import type { Reading } from './reading.ts';

/**
 * `possible`: a deny or prompt rule matches when any form, any element or any reading of a value does.
 * `certain`: an allow rule matches only when all of them do.
 */
export type Mode = 'possible' | 'certain';

export function flip(mode: Mode): Mode {
  return mode === 'possible' ? 'certain' : 'possible';
}

/** Values that are computed once for a call, however many rules ask. */
export interface MatchContext {
  readonly paths: PathContext;
  realPath(absolute: string): string;
  /** The paths whose real path is another, each with its real path. */
  moved(): ReadonlyMap<string, string>;
  /** The real path of a path that is not normalised; undefined if the disk was not asked. */
  resolved(path: string): string | undefined;
  forms(text: string): PathForms;
  /** The texts that braces and extended globs in a text expand to. */
  choices(text: string): readonly string[];
  /** The paths that a command line names, as texts. */
  commandPaths(line: string): readonly string[];
  select(path: readonly ArgStep[]): Selection;
  /** Tells whether the call runs commands, so that any text in it may name a file. */
  runsCommands(): boolean;
}

/** The readings of the arguments, and the real paths of the paths in them. */
export interface Place {
  readonly reading: Reading;
  readonly realPaths: ReadonlyMap<string, string>;
  /** Called only if it matters; if absent, any call may run commands. */
  readonly runsCommands?: (() => boolean) | undefined;
}

function always(): boolean {
  return true;
}

export function createMatchContext(
  args: JsonObject | undefined,
  { reading, realPaths, runsCommands = always }: Place,
): MatchContext {
  const { paths, forms, choices, commandPaths, container } = reading;
  const selections = reading.selectionsIn(args);
  // Windows answers with backslashes; the forms that this is compared with have none.
  const toReal = (path: string): string => (paths.platform === 'windows' ? toSlashes(path) : path);
  let moved: ReadonlyMap<string, string> | undefined;
  return {
    paths,
    runsCommands,
    realPath: (absolute) => toReal(realPaths.get(absolute) ?? absolute),
    moved: () =>
      (moved ??= new Map(
        Array.from(realPaths, ([path, real]) => [path, toReal(real)] as const).filter(([path, real]) => path !== real),
      )),
    resolved: (path) => realPaths.get(path),
    forms,
    choices,
    commandPaths,
    select(path) {
      let found = selections.get(path);
      if (found === undefined) selections.set(path, (found = selectArgs(args, path, container)));
      return found;
    },
  };
}
