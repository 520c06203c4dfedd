import { parse } from 'acorn';
import type { SyntaxNode } from './syntax.ts';

/** Longer programs are not read, so that reading one takes bounded time. */
const LONGEST = 131_072;

/**
 * Parses a program in JavaScript, as the module that agents run it as. Undefined if it is none, or too long or too deep. Never throws.
 *
 * Only import this file lazily: the parser costs a start more than most of what we load.
 */
export function parseProgram(code: string): SyntaxNode | undefined {
  if (code.length > LONGEST) return undefined;
  try {
    return parse(code, { ecmaVersion: 'latest', sourceType: 'module' }) as unknown as SyntaxNode;
  } catch {
    // It is no program, or it needs a deeper stack than there is. Whatever would run it counts as unknown.
    return undefined;
  }
}
