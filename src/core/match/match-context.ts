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

/** What is worked out once for a call, however many rules ask. */
export interface MatchContext {
  readonly paths: PathContext;
  realPath(absolute: string): string;
  /** The paths that the disk leads elsewhere with, and where. */
  moved(): ReadonlyMap<string, string>;
  /** The same for a path that is not tidied: undefined where the disk was not asked. */
  resolved(path: string): string | undefined;
  forms(text: string): PathForms;
  /** What braces and extended globs make of a text. */
  choices(text: string): readonly string[];
  select(path: readonly ArgStep[]): Selection;
  /** Does the call run commands, so that any text in it may name a file? */
  runsCommands(): boolean;
}

/** What the arguments read as, and where the disk leads with them. */
export interface Place {
  readonly reading: Reading;
  readonly realPaths: ReadonlyMap<string, string>;
  /** Asked where it matters; absent, any call may. */
  readonly runsCommands?: (() => boolean) | undefined;
}

function always(): boolean {
  return true;
}

export function createMatchContext(
  args: JsonObject | undefined,
  { reading, realPaths, runsCommands = always }: Place,
): MatchContext {
  const { paths, forms, choices, container } = reading;
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
    select(path) {
      let found = selections.get(path);
      if (found === undefined) selections.set(path, (found = selectArgs(args, path, container)));
      return found;
    },
  };
}
