import { type AST, parseTOML } from 'toml-eslint-parser';

export type { AST } from 'toml-eslint-parser';

/**
 * Reads how a TOML text is written, with the place of everything in it, comments too. A BOM in front is not part of it. Undefined where
 * the parser refuses it: what a policy means is told by another one, and two rarely disagree.
 */
export function parseTomlSyntax(text: string): AST.TOMLProgram | undefined {
  try {
    return parseTOML(text, { tomlVersion: 'latest' });
  } catch {
    // Its only way to say that the text is not TOML.
    return undefined;
  }
}
