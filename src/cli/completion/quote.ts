import type { CompletedCommand, CompletedFlag, Values } from './describe-commands.ts';

/** A text as one word of bash and zsh. */
export function quote(text: string): string {
  return `'${text.replaceAll("'", String.raw`'\''`)}'`;
}

/** `--limit`, and `-n` where it has a letter. */
export function flagNames({ name, letter }: Pick<CompletedFlag, 'name' | 'letter'>): readonly string[] {
  return letter === undefined ? [`--${name}`] : [`--${name}`, `-${letter}`];
}

/** The words that are known before: next words of longer commands, and a list of values. */
export function wordsOf(next: CompletedCommand['next'], values: Values): readonly string[] {
  return [...next.map(([word]) => word), ...(typeof values === 'string' ? [] : values)];
}
