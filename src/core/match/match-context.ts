import type { JsonObject } from '../json.ts';
import { type PathContext, toSlashes } from '../paths/absolute-path.ts';
import { selectArgs, type Selection } from './args.ts';
import { type PathForms, toPathForms } from '../paths/path-forms.ts';
import type { ArgStep } from '../policy/types.ts';

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
  select(path: readonly ArgStep[]): Selection;
  /** Does the call run commands, so that any text in it may name a file? */
  runsCommands(): boolean;
}

/** What a call's arguments read as, worked out when it is first asked for. One of its own for each decision, or long texts would stay. */
export interface Reading {
  readonly args: JsonObject | undefined;
  readonly forms: Map<string, PathForms>;
  readonly selections: Map<readonly ArgStep[], Selection>;
}

export function createReading(args: JsonObject | undefined): Reading {
  return { args, forms: new Map(), selections: new Map() };
}

/** Where the arguments are read, and what is known already. */
export interface Place {
  readonly paths: PathContext;
  readonly realPaths: ReadonlyMap<string, string>;
  readonly reading?: Reading | undefined;
  /** Asked where it matters; absent, any call may. */
  readonly runsCommands?: (() => boolean) | undefined;
}

function always(): boolean {
  return true;
}

/** @param reading of these arguments, as seen from the same place; a new one where it is of others */
export function createMatchContext(
  args: JsonObject | undefined,
  { paths, realPaths, reading, runsCommands = always }: Place,
): MatchContext {
  const { forms, selections } = reading !== undefined && reading.args === args ? reading : createReading(args);
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
    forms(text) {
      let found = forms.get(text);
      if (found === undefined) {
        found = toPathForms(text, paths);
        forms.set(text, found);
      }
      return found;
    },
    select(path) {
      let found = selections.get(path);
      if (found === undefined) {
        found = selectArgs(args, path);
        selections.set(path, found);
      }
      return found;
    },
  };
}
