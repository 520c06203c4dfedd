import { expect, it } from 'vitest';
import { fillIn } from '../../../src/cli/scan/fill-in.ts';

const known = { env: { TOKEN: 't', EMPTY: '' }, project: '/p', home: '/h' };

it.each([
  ['${TOKEN}', 't'],
  ['Bearer ${env:TOKEN}', 'Bearer t'],
  ['{env:TOKEN}', 't'],
  ['${NONE:-d}/${TOKEN:-d}', 'd/t'],
  ['${EMPTY}', ''],
  ['${workspaceFolder}/x', '/p/x'],
  ['${userHome}', '/h'],
  ['{"a": 1} $5', '{"a": 1} $5'],
])('%s becomes %s', (text, expected) => {
  const launch = { kind: 'command', words: [text, text], env: { A: text } } as const;
  expect(fillIn({ launch, cwd: text }, known)).toEqual({
    launch: { kind: 'command', words: [expected, expected], env: { A: expected } },
    cwd: expected,
  });
  const url = { kind: 'url', url: text, headers: { A: text } } as const;
  expect(fillIn({ launch: url, cwd: '/' }, known)).toMatchObject({ launch: { url: expected, headers: { A: expected } } });
});

it.each(['${NONE}', '${input:token}', '{file:~/x}', '${{ secrets.X }}', '${CLAUDE_PLUGIN_ROOT}/x'])(
  'only the client knows %s',
  (text) => {
    const launch = { kind: 'command', words: ['x'], env: { A: text } } as const;
    expect(fillIn({ launch, cwd: '/' }, known)).toEqual({ missing: text.replace('/x', text.startsWith('{file') ? '/x' : '') });
  },
);
