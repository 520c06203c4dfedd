import { isContainer, type JsonObject, type JsonValue, parseContainer } from '../json.ts';
import type { PathContext } from '../paths/absolute-path.ts';
import { type PathForms, toPathForms } from '../paths/path-forms.ts';
import type { ArgStep } from '../policy/types.ts';
import { pathsOfCommand } from '../shell/command-paths.ts';
import { expandBraces, toBraces } from '../shell/shell-pattern.ts';
import type { Selection } from './args.ts';

/**
 * The readings of a call's arguments, shared by the guard of clawai itself, the look at the disk, and the rules. Each is computed on first
 * use. Every decision has a `Reading` of its own, or long texts would stay.
 */
export class Reading {
  /** The paths as the server sees them. */
  readonly paths: PathContext;
  readonly #forms = new Map<string, PathForms>();
  #choices: Map<string, readonly string[]> | undefined;
  #commandPaths: Map<string, readonly string[]> | undefined;
  #containers: Map<string, JsonValue | undefined> | undefined;
  readonly #selections = new Map<JsonObject | undefined, Map<readonly ArgStep[], Selection>>();

  constructor(paths: PathContext) {
    this.paths = paths;
  }

  /** All forms of a text as a path. */
  readonly forms = (text: string): PathForms => {
    let found = this.#forms.get(text);
    if (found === undefined) this.#forms.set(text, (found = toPathForms(text, this.paths)));
    return found;
  };

  /** The texts that braces and extended globs in a text expand to: itself, if it has none. */
  readonly choices = (text: string): readonly string[] => {
    const known = (this.#choices ??= new Map<string, readonly string[]>());
    let found = known.get(text);
    if (found === undefined) known.set(text, (found = expandBraces(toBraces(text))));
    return found;
  };

  /** The paths that a command line names, as texts. */
  readonly commandPaths = (line: string): readonly string[] => {
    const known = (this.#commandPaths ??= new Map<string, readonly string[]>());
    let found = known.get(line);
    if (found === undefined) known.set(line, (found = pathsOfCommand(line)));
    return found;
  };

  /** The JSON object or array that a text is; undefined for all others. */
  readonly container = (text: string): JsonValue | undefined => {
    if (!isContainer(text)) return undefined;
    const known = (this.#containers ??= new Map<string, JsonValue | undefined>());
    if (!known.has(text)) known.set(text, parseContainer(text));
    return known.get(text);
  };

  /** The selections that were made in arguments of the call. */
  selectionsIn(args: JsonObject | undefined): Map<readonly ArgStep[], Selection> {
    let known = this.#selections.get(args);
    if (known === undefined) this.#selections.set(args, (known = new Map<readonly ArgStep[], Selection>()));
    return known;
  }
}
