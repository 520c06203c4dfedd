import type { Evidence } from '../finding.ts';
import type { JsonObject } from '../json.ts';
import { textsOf } from './steering/find-steering.ts';

/**
 * Adds the place in the arguments where each value stands, if it stands in one alone.
 *
 * @param find the values in one text of the arguments
 */
export function withPlaces(
  found: readonly Evidence[],
  args: JsonObject,
  find: (text: string) => readonly Evidence[],
): readonly Evidence[] {
  const places = new Map<string, string>();
  for (const { path, text } of textsOf(args)) {
    for (const { source } of find(text)) if (!places.has(source)) places.set(source, path);
    if (places.size >= found.length) break;
  }
  return found.map((each) => {
    const place = places.get(each.source);
    return place === undefined ? each : { ...each, place };
  });
}
