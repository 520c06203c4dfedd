/** Levels that are read. */
const MOST_DEPTH = 64;

/**
 * The strings and numbers of a JSON text, one a line and without the names of members, which are the format's and not the data's. So a table reads the same as JSON
 * and as lines.
 *
 * @returns undefined where the text is no JSON object or array
 */
export function jsonValues(text: string): string | undefined {
  if (!/^\s*[[{]/.test(text)) return undefined;
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    return undefined; // it only looked like JSON, and is read as it stands
  }
  const lines: string[] = [];
  collect(value, lines, 0);
  return lines.join('\n');
}

function collect(value: unknown, lines: string[], depth: number): void {
  if (typeof value === 'string') lines.push(value);
  else if (typeof value === 'number') lines.push(String(value));
  else if (typeof value !== 'object' || value === null || depth >= MOST_DEPTH) return;
  else for (const member of Object.values(value)) collect(member, lines, depth + 1);
}
