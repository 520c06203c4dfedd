import { isJsonObject, type JsonObject, parseJson } from '../core/json.ts';
import type { ModelCall } from '../protocol/llm/dialect.ts';

/** The arguments of a model's call as a policy reads them; undefined where they can't be relied on. */
export function readCallArguments({ args, problem }: ModelCall): JsonObject | undefined {
  if (args === undefined || problem !== undefined) return undefined;
  try {
    const value = parseJson(args);
    return isJsonObject(value) ? value : undefined;
  } catch {
    // The dialect has read it before; what it can't read has a problem.
    return undefined;
  }
}
