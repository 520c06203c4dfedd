import { isJsonObject, type JsonObject, type JsonValue } from '../core/json.ts';

/** What a value weighs besides its characters. */
const EACH = 16;

/** About how many characters a call's arguments have, their keys among them; more than `most` where they have more than that. */
export function weightOf(args: JsonObject, most: number): number {
  let weight = 0;
  const waiting: JsonValue[] = [args];
  while (weight <= most) {
    const value = waiting.pop();
    if (value === undefined) break;
    weight += EACH;
    if (typeof value === 'string') weight += value.length;
    else if (Array.isArray(value)) {
      const list = value as readonly JsonValue[];
      if (list.length * EACH > most) return list.length * EACH;
      for (const item of list) waiting.push(item);
    } else if (isJsonObject(value)) {
      for (const [key, member] of Object.entries(value)) {
        weight += key.length;
        waiting.push(member);
      }
    }
  }
  return weight;
}
