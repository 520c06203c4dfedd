import { setFlagsFromString } from 'node:v8';

/**
 * Keeps V8 from optimizing code from now on. For a command that is over within a tenth of a second, that takes more processor time, on other
 * threads, than it saves (a quarter of `wrap --dry-run`, measured). What is imported later is not found in the compile cache.
 */
export function compileLess(): void {
  for (const flag of ['--no-opt', '--no-maglev']) setFlagsFromString(flag);
}
