/** `fail`: what clawai promises does not hold. `warn`: it may not hold for some client, or not for long. */
export type Level = 'ok' | 'warn' | 'fail';

/** One thing that was looked at, and what was found. */
export interface Check {
  /** What it is about, a word or two; stable, for programs. */
  readonly about: string;
  readonly level: Level;
  /** What was found, a sentence without full stop. */
  readonly text: string;
  /** What a person can do about it, likewise. */
  readonly todo?: string | undefined;
}

export function ok(about: string, text: string): Check {
  return { about, level: 'ok', text };
}

export function warn(about: string, text: string, todo?: string): Check {
  return { about, level: 'warn', text, todo };
}

export function fail(about: string, text: string, todo?: string): Check {
  return { about, level: 'fail', text, todo };
}
