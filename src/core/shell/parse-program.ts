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

/** A value in JavaScript's notation, or the first offset that is none, and why. Offsets are of the text, from 0. */
export type ParsedValue =
  | { readonly ok: true; readonly value: SyntaxNode; readonly before: number }
  | { readonly ok: false; readonly offset: number; readonly message: string };

/** Parses a text that is one expression and nothing else; places in it are `before` more than in the text. Never throws. */
export function parseValue(text: string): ParsedValue {
  const open = '(';
  try {
    const options = { ecmaVersion: 'latest', sourceType: 'module', preserveParens: true } as const;
    const { body } = parse(`${open}${text}\n)`, options);
    const [first] = body;
    // Whoever closes our bracket has written more than one value.
    const whole = body.length === 1 && first?.type === 'ExpressionStatement' ? first.expression : undefined;
    if (whole?.type !== 'ParenthesizedExpression') return { ok: false, offset: 0, message: 'the text is more than one value' };
    return { ok: true, value: whole.expression as unknown as SyntaxNode, before: open.length };
  } catch (error) {
    // The parser's way to report a fault, or the end of the stack.
    const { message, pos = open.length } = error as { readonly message: string; readonly pos?: number };
    return {
      ok: false,
      offset: Math.max(0, Math.min(text.length, pos - open.length)),
      message: message.replace(/ \(\d+:\d+\)$/, ''),
    };
  }
}
