import { describe, expect, it } from 'vitest';
import { judgeNames, type NamedServer } from '../../src/scan/judge-names.ts';

function server(name: string, tools: readonly string[], more: Partial<NamedServer> = {}): NamedServer {
  return { name, clients: ['cursor'], program: name, tools, ...more };
}

function found(...servers: readonly NamedServer[]): readonly (readonly string[])[] {
  return judgeNames(servers).map((findings) => findings.map(({ id, subject }) => `${id} ${subject}`.trim()));
}

describe('judgeNames', () => {
  it.each<[string, readonly NamedServer[], readonly (readonly string[])[]]>([
    ['one name twice', [server('a', ['x', 'y']), server('b', ['y', 'z'])], [[], ['same-name y']]],
    ['a look-alike', [server('a', ['read_file']), server('b', ['reаd_file'])], [[], ['alike-name reаd_file']]],
    ['other separators', [server('a', ['read_file']), server('b', ['readFile', 'read-file'])], [[], []]],
    ['another client', [server('a', ['x']), server('b', ['x'], { clients: ['zed'] })], [[], []]],
    ['one program twice', [server('a', ['x'], { program: 'p' }), server('b', ['x'], { program: 'p' })], [[], []]],
    ['one server name twice', [server('a', [], { program: 'p' }), server('a', [], { program: 'q' })], [[], ['same-server-name']]],
    ['a server that looks like another', [server('github', []), server('glthub', [])], [[], ['alike-name']]],
    ['nothing in common', [server('a', ['x']), server('b', ['y'])], [[], []]],
  ])('%s', (_, servers, expected) => {
    expect(found(...servers)).toEqual(expected);
  });

  it('names the server that was there first', () => {
    const [, , third] = judgeNames([server('a', ['x']), server('b', ['x']), server('c', ['x'])]);
    expect(third).toMatchObject([{ message: 'a has it too, so an agent may mean the other' }]);
  });

  it('takes no longer for many servers with many names', () => {
    const many = Array.from({ length: 100 }, (_, i) =>
      server(
        `s${i}`,
        Array.from({ length: 200 }, (__, j) => `tool_${i}_${j}`),
      ),
    );
    expect(judgeNames(many).flat()).toEqual([]);
  });
});
