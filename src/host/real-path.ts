import { realpathSync } from 'node:fs';
import { join } from 'node:path';

/** No file system opens longer paths (PATH_MAX is 4,096 on Linux, 1,024 on macOS; Windows takes 32,767 characters). */
const LONGEST_PATH = 32_767;

/**
 * The real path of an absolute, normalised path: links resolved in the longest part that exists, the rest appended. What
 * can't be looked at (no permission, a loop of links) counts as not existing.
 *
 * That a part exists implies that all before it do, so the border is found by halving: a dozen look-ups at most, however many
 * parts a hostile path has.
 */
export function realPath(absolute: string): string {
  if (absolute.length > LONGEST_PATH) return absolute;
  const whole = tryRealPath(absolute);
  if (whole !== undefined) return whole;
  const borders: number[] = [];
  for (let i = 1; i < absolute.length; i++) if (isSeparator(absolute.charCodeAt(i))) borders.push(i);
  let found: { real: string; rest: string } | undefined;
  let low = 0;
  let high = borders.length - 1;
  while (low <= high) {
    const middle = (low + high) >> 1;
    const border = borders[middle] as number;
    const real = tryRealPath(absolute.slice(0, border));
    if (real === undefined) high = middle - 1;
    else {
      found = { real, rest: absolute.slice(border + 1) };
      low = middle + 1;
    }
  }
  return found === undefined ? absolute : join(found.real, found.rest);
}

function tryRealPath(path: string): string | undefined {
  try {
    return realpathSync.native(path);
  } catch {
    // Missing, forbidden, too long, a NUL, a loop: in each case this path leads to no file that we could compare.
    return undefined;
  }
}

function isSeparator(code: number): boolean {
  return code === 0x2f || (code === 0x5c && process.platform === 'win32');
}
