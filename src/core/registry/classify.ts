import { isJsonObject, type JsonObject } from '../json.ts';
import { CATEGORIES, type Category } from './category.ts';
import { classifyName } from './classify/classify-name.ts';
import { type Parameter, readParameters } from './classify/read-parameters.ts';
import { refineByArguments } from './classify/refine-by-arguments.ts';
import { refineByDefinition } from './classify/refine-by-definition.ts';
import { splitName } from './classify/split-name.ts';

/** A tool, as far as it is known. */
export interface Classified {
  readonly name: string;
  /** As the server lists it. */
  readonly definition?: JsonObject;
  /**
   * The definition is as it was approved, or first seen: only then its annotations count. They never take anything back, since a server
   * says in them what it likes.
   */
  readonly isPinned: boolean;
}

/** What the user says of tools whose names match. */
export type ClassifyOverrides = readonly { readonly category: Category; matches(name: string): boolean }[];

/**
 * Says what a tool does: by the verbs anywhere in its name, what its parameters are called, and the annotations of a pinned definition,
 * which only add. What the user says of it replaces all of that.
 *
 * @returns at least one category, each once, in the order of `CATEGORIES`; `unknown` where nothing tells, and besides what tells
 *   where there is more than can be looked at
 */
export function classify(tool: Classified, overrides: ClassifyOverrides = []): readonly Category[] {
  const said = new Set(overrides.filter((override) => override.matches(tool.name)).map(({ category }) => category));
  if (said.size > 0) return inOrder(said);
  const found = classifyName(tool.name);
  if (tool.definition !== undefined) refineByDefinition(found, tool.definition, tool);
  return found.size === 0 ? ['unknown'] : inOrder(found);
}

/**
 * What the arguments of a call tell of what it does, besides what `classify` says of the tool; `unknown` where there is more than can be looked
 * at.
 *
 * @param definition asked for where it matters
 */
export function classifyArguments(
  tool: string,
  args: JsonObject,
  definition: () => JsonObject | undefined,
): ReadonlySet<Category> {
  let declared: ReadonlyMap<string, Parameter> | undefined;
  return refineByArguments(
    args,
    () => splitName(tool),
    (name) => {
      const schema = declared === undefined ? definition()?.['inputSchema'] : undefined;
      declared ??= new Map((isJsonObject(schema) ? readParameters(schema).parameters : []).map((each) => [each.name, each]));
      return declared.get(name);
    },
  );
}

function inOrder(categories: ReadonlySet<Category>): readonly Category[] {
  return CATEGORIES.filter((category) => categories.has(category));
}
