import type { Plugin } from 'rolldown';

/**
 * Writes characters beyond ASCII as escapes. With one of them, V8 keeps the whole file as UTF-16, which takes twice the memory and longer to
 * read; they are in texts and patterns alone, where an escape means the same.
 */
export function asciiOnly(): Plugin {
  return {
    name: 'ascii-only',
    generateBundle(_options, bundle) {
      for (const file of Object.values(bundle)) {
        if (file.type === 'chunk') file.code = file.code.replaceAll(/[^\0-\x7f]/g, toEscape);
      }
    },
  };
}

function toEscape(unit: string): string {
  return `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`;
}
