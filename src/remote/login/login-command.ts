import { quoteWord } from '../../core/shell/quote-word.ts';

/** The command with which a person logs in to a server, for a shell: names come from configs, and can be anything. */
export function loginCommand(name: string, ...flags: readonly string[]): string {
  return ['clawai', 'login', ...flags, ...(name.startsWith('-') ? ['--'] : []), quoteWord(name)].join(' ');
}
