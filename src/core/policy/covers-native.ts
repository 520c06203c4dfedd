import { NATIVE_SERVER } from '../call.ts';
import type { CompiledMatcher } from './compile-matcher.ts';

/**
 * Does a rule's `server` name the agent's own tools? Only where the word itself stands there, alone or in a list: a rule for all servers
 * (`"*"`, or all but one) means MCP servers, and must not reach for an agent's file and shell tools by accident.
 */
export function coversNative(server: CompiledMatcher): boolean {
  switch (server.op) {
    case 'globs':
      return server.plain.some(({ isLiteral, literalPrefix }) => isLiteral && literalPrefix === NATIVE_SERVER);
    case 'equals':
      return server.value === NATIVE_SERVER;
    case 'any':
      return server.of.some(coversNative);
    default:
      return false;
  }
}
