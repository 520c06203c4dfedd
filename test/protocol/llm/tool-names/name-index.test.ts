import { describe, expect, it } from 'vitest';
import { cline } from '../../../../src/protocol/llm/tool-names/editors.ts';
import { nameIndexOf } from '../../../../src/protocol/llm/tool-names/name-index.ts';
import { opencode } from '../../../../src/protocol/llm/tool-names/terminal-agents.ts';

describe('nameIndexOf', () => {
  const servers = [
    { name: 'a.b', tools: ['x.y', 'x_y'] },
    { name: 'a_b', tools: [] },
  ];

  it('is built once for an array of servers', () => {
    expect(nameIndexOf(servers)).toBe(nameIndexOf(servers));
    expect(nameIndexOf([...servers])).not.toBe(nameIndexOf(servers));
    expect(nameIndexOf(servers).of(opencode)).toBe(nameIndexOf(servers).of(opencode));
  });

  it('finds servers and tools by their spelling', () => {
    const [found] = nameIndexOf(servers).of(opencode).forms;
    expect(found?.serversSpelled('a_b').map(({ server, toolsSpelled }) => [server.name, toolsSpelled('x_y')])).toEqual([
      ['a.b', ['x.y', 'x_y']],
      ['a_b', []],
    ]);
    expect(found?.serversSpelled('a.b')).toEqual([]);
    expect(found?.serversSpelled('__proto__')).toEqual([]);
  });

  it('finds tools by their own names, and by those that were cut', () => {
    const index = nameIndexOf(servers);
    expect(index.bare('x.y')).toEqual([{ server: 'a.b', tool: 'x.y' }]);
    expect(index.bare('toString')).toEqual([]);
    expect(index.server('a_b')?.tools).toEqual([]);
    const [name = ''] = cline.cut?.names('a.b')('x.y') ?? [];
    expect(index.of(cline).cut(name)).toEqual([{ server: 'a.b', tool: 'x.y' }]);
    expect(index.of(cline).cut('a_b__x_y_00000000')).toEqual([]);
    expect(index.of(opencode).cut(name)).toEqual([]);
  });
});
