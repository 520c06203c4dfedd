import { stringify } from 'smol-toml';

/** A table as TOML; undefined where there is none that says so. */
export function writeToml(table: unknown): string | undefined {
  if (typeof table !== 'object') return undefined;
  try {
    return stringify(table);
  } catch {
    // A list of several kinds, or a table with a null: no TOML.
    return undefined;
  }
}
