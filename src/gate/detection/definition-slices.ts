import type { DefinitionInput } from '../../core/detect/types.ts';
import { parseJson } from '../../core/json.ts';
import type { Definition } from '../../core/registry/definition.ts';

/** Definitions, and characters of them, that are looked at together, in some milliseconds; then others get their turn. */
const SLICE = { definitions: 16, characters: 32 * 1024 } as const;

/** Definitions in the order in which they come, divided in the same way on every machine: what many of a slice say counts once. */
export function slicesOf(definitions: readonly Definition[]): readonly (readonly Definition[])[] {
  const slices: Definition[][] = [];
  let characters = 0;
  for (const definition of definitions) {
    const { length } = definition.text;
    const last = slices.at(-1);
    const fits = last !== undefined && last.length < SLICE.definitions && characters + length <= SLICE.characters;
    characters = fits ? characters + length : length;
    if (fits) last.push(definition);
    else slices.push([definition]);
  }
  return slices;
}

/** A definition as the detector takes it. */
export function toInput({ kind, name, text }: Definition): DefinitionInput {
  return { kind, name, value: parseJson(text) };
}
