import { homedir } from 'node:os';
import { sep } from 'node:path';
import { printable } from './printable.ts';

/** A path as people read it: `~` for their home, and nothing in it that could steer a terminal. */
export function shortPath(file: string, home = homedir()): string {
  const isInside = home.length > 1 && file.startsWith(home) && file[home.length] === sep;
  return printable(isInside ? `~${file.slice(home.length)}` : file);
}
