const SHORT: Readonly<Record<string, string>> = { n: '\n', r: '\r', t: '\t' };

/** Undoes the escapes of JSON and of source code: `\n`, `\"`, `\u0041`, `\x41`. Other backslashes stay: they are in paths of Windows. */
export function unescaped(text: string): string {
  if (!text.includes('\\')) return text;
  return text.replace(
    /\\(?:u([0-9a-f]{4})|x([0-9a-f]{2})|([nrt"\\/]))/gi,
    (_all, wide?: string, narrow?: string, letter?: string) => {
      const code = wide ?? narrow;
      if (code !== undefined) return String.fromCharCode(Number.parseInt(code, 16));
      return SHORT[letter ?? ''] ?? letter ?? '';
    },
  );
}
