import { describe, expect, it } from 'vitest';
import { addOverride, readCodexWords } from '../../../src/cli/run/codex-words.ts';

const URL = 'http://127.0.0.1:1/x';

function lead(...words: readonly string[]): string | undefined {
  const found = readCodexWords(words);
  return found && addOverride(words, found, ['openai_base_url', URL]).join(' ').replaceAll(`-c openai_base_url="${URL}"`, 'OURS');
}

describe('the argument that leads Codex stands where Codex reads it', () => {
  it.each([
    ['codex', 'codex OURS'],
    ['/opt/bin/codex exec hi', '/opt/bin/codex OURS exec hi'],
    ['codex resume --last', 'codex OURS resume --last'],
    ['env A=b codex -m o3', 'env A=b codex OURS -m o3'],
    ['timeout 5 nice codex', 'timeout 5 nice codex OURS'],
    ['doppler run -- codex exec hi', 'doppler run -- codex OURS exec hi'],
    ['npx -y @openai/codex@latest exec hi', 'npx -y @openai/codex@latest OURS exec hi'],
    ['npx -p @openai/codex codex exec hi', 'npx -p @openai/codex codex OURS exec hi'],
    ['pnpm dlx @openai/codex', 'pnpm dlx @openai/codex OURS'],
    ['bunx @openai/codex', 'bunx @openai/codex OURS'],
    ['npm exec @openai/codex -- exec hi', 'npm exec @openai/codex -- OURS exec hi'],
    ['npm exec -- @openai/codex exec hi', 'npm exec -- @openai/codex OURS exec hi'],
    ['npm exec @openai/codex exec hi', 'npm exec @openai/codex exec hi -- OURS'],
    [
      'node --x /lib/node_modules/@openai/codex/bin/codex.js exec',
      'node --x /lib/node_modules/@openai/codex/bin/codex.js OURS exec',
    ],
  ])('%s', (words, led) => {
    expect(lead(...words.split(' '))).toBe(led);
  });
});

describe('it counts more than what the user sets', () => {
  it.each([
    ['codex -c openai_base_url=x exec hi', 'codex OURS -c openai_base_url=x OURS exec hi'],
    ['codex exec hi --config=openai_base_url=x', 'codex OURS exec hi --config=openai_base_url=x OURS'],
    ['codex -copenai_base_url=x', 'codex OURS -copenai_base_url=x OURS'],
    ['codex -c model=o3 exec -c openai_base_url=x -c a=b', 'codex OURS -c model=o3 exec -c openai_base_url=x OURS -c a=b'],
    ['npm exec @openai/codex -- -c openai_base_url=x', 'npm exec @openai/codex -- OURS -c openai_base_url=x OURS'],
  ])('%s', (words, led) => {
    expect(lead(...words.split(' '))).toBe(led);
  });

  it('also behind a table that has the setting in it', () => {
    const words = ['codex', '-c', 'model_providers.p={base_url="u"}', '-c', 'model_providers.q.base_url="v"'];
    const found = readCodexWords(words);
    expect(found && addOverride(words, found, ['model_providers.p.base_url', URL])).toEqual([
      'codex',
      '-c',
      `model_providers.p.base_url="${URL}"`,
      '-c',
      'model_providers.p={base_url="u"}',
      '-c',
      `model_providers.p.base_url="${URL}"`,
      '-c',
      'model_providers.q.base_url="v"',
    ]);
  });

  it('a text behind `--` is no option', () => {
    expect(lead('codex', 'exec', '--', '-c', 'openai_base_url=x')).toBe('codex OURS exec -- -c openai_base_url=x');
  });
});

it.each([
  'sh -c codex',
  'docker run -it image codex',
  'sudo codex',
  'ssh host codex',
  'tmux new codex',
  'npx other codex',
  'npx @ccusage/codex',
  'npm run codex',
  'node agent.mjs codex',
  'aider --model codex',
  'env A=b aider --model codex',
  'claude -p codex',
  'my-codex',
])('%s is left as it is', (words) => {
  expect(lead(...words.split(' '))).toBeUndefined();
});

it('reads what the command says about the model', () => {
  const found = readCodexWords([
    'codex',
    '-c',
    'model_provider=azure',
    '-c',
    'x.y=[1, 2]',
    '--profile=work',
    '--ignore-user-config',
    '-c',
  ]);
  expect(found).toMatchObject({ at: 0, profile: 'work', ignoresSettings: true, elsewhere: undefined });
  expect(found?.overrides.slice(0, 2)).toEqual([
    { key: ['model_provider'], value: 'azure', end: 3 },
    { key: ['x', 'y'], value: [1, 2], end: 5 },
  ]);
  expect(readCodexWords(['codex', '--oss'])?.elsewhere).toBe('--oss');
  expect(readCodexWords(['codex', '--remote', 'ws://x'])?.elsewhere).toBe('--remote');
  expect(readCodexWords(['codex', 'exec', '-p', 'work'])?.profile).toBe('work');
});
