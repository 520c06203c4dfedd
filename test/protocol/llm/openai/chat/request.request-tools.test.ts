import { describe, expect, it } from 'vitest';
import {
  isProviderTool,
  isServerEntry,
  toMcpServer,
  toOfferedTool,
} from '../../../../../src/protocol/llm/openai/chat/request.ts';

describe('an entry of tools', () => {
  it.each<[object, string, boolean]>([
    [{ type: 'function', function: { name: 'f' } }, 'f', false],
    [{ type: 'custom', custom: { name: 'c' } }, 'c', false],
    [{ function: { name: 'f' } }, 'f', false],
    [{ type: 'function' }, '', false],
    [{ type: 'builtin_function', function: { name: '$web_search' } }, 'builtin_function', true],
    [{ type: 'x', name: 'n' }, 'n', true],
    [{ type: 'x', x: { name: 'n' } }, 'n', true],
    [{ type: 'browser_search' }, 'browser_search', true],
  ])('%j is %s; run by the provider: %s', (entry, name, isProviders) => {
    const tool = toOfferedTool(entry as Record<string, unknown>);
    expect([tool.name, isProviderTool(tool)]).toEqual([name, isProviders]);
  });

  it('is of a server, or of before', () => {
    expect([isServerEntry({ type: 'mcp' }), isServerEntry({ type: 'function' })]).toEqual([true, false]);
    expect(toMcpServer({ type: 'mcp' })).toEqual({ name: '', url: '', allowed: [] });
    expect(toOfferedTool({ name: 'old', type: 'x' }, true)).toEqual({ name: 'old', type: 'function', group: undefined });
  });
});
