import { describe, expect, it } from 'vitest';
import { addOverride, readCodexWords } from '../../../src/cli/run/codex-words.ts';

const URL = 'http://127.0.0.1:1/x';

function lead(...words: readonly string[]): string | undefined {
  const found = readCodexWords(words);
  return (
    found &&
    addOverride(words, found, { key: ['openai_base_url'], value: URL })
      ?.join(' ')
      .replaceAll(`-c openai_base_url="${URL}"`, 'OURS')
  );
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
      'node --no-warnings /lib/node_modules/@openai/codex/bin/codex.js exec',
      'node --no-warnings /lib/node_modules/@openai/codex/bin/codex.js OURS exec',
    ],
    ['env CODEX_HOME=/tmp/codex codex exec', 'env CODEX_HOME=/tmp/codex codex OURS exec'],
    ['env -C /work/codex -u codex -i -- A=codex codex', 'env -C /work/codex -u codex -i -- A=codex codex OURS'],
    ['direnv exec ./codex codex', 'direnv exec ./codex codex OURS'],
    ['flock -w 5 /tmp/codex codex exec', 'flock -w 5 /tmp/codex codex OURS exec'],
    ['flock /tmp/codex env -C codex timeout -s INT 5m codex', 'flock /tmp/codex env -C codex timeout -s INT 5m codex OURS'],
    ['npx --yes -p codex codex', 'npx --yes -p codex codex OURS'],
    ['op run --env-file=codex -- codex', 'op run --env-file=codex -- codex OURS'],
    ['volta run --node 22 codex', 'volta run --node 22 codex OURS'],
    ['taskset -c 0,1 chrt -f 5 codex', 'taskset -c 0,1 chrt -f 5 codex OURS'],
    ['yarn codex', 'yarn codex OURS'],
    ['corepack pnpm dlx @openai/codex', 'corepack pnpm dlx @openai/codex OURS'],
    ['/opt/codex-x86_64-unknown-linux-musl exec', '/opt/codex-x86_64-unknown-linux-musl OURS exec'],
    ['codex-aarch64-apple-darwin', 'codex-aarch64-apple-darwin OURS'],
    ['codex-x86_64-pc-windows-msvc.exe', 'codex-x86_64-pc-windows-msvc.exe OURS'],
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
    expect(found && addOverride(words, found, { key: ['model_providers', 'p', 'base_url'], value: URL })).toEqual([
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

  it('also with a name that has a dot, unless arguments set a table of that name', () => {
    const key = ['model_providers', 'a.b', 'base_url'];
    const add = (...words: readonly string[]): readonly string[] | undefined => {
      const found = readCodexWords(words);
      return found && addOverride(words, found, { key, value: URL });
    };
    expect(add('codex', 'exec')).toEqual(['codex', '-c', `model_providers={"a.b"={"base_url"="${URL}"}}`, 'exec']);
    expect(add('codex', '-c', 'model=x')?.slice(0, 2)).toEqual(['codex', '-c']);
    expect(add('codex', '-c', 'model_providers.x.name="y"')).toBeUndefined();
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
  'env -S codex codex',
  'env --split-string=codex codex',
  'env --unknown codex codex',
  'env -C codex',
  'flock /tmp/codex',
  'flock /tmp/x -c codex',
  'flock --unknown codex codex',
  'direnv allow codex codex',
  'mise exec codex',
  'npx --cache codex codex',
  'npx -c codex',
  'npm --call=codex exec codex',
  'node --icu-data-dir codex agent.js',
  'node --import codex agent.js',
  'nodemon --exec codex',
  'strace -o codex codex',
  'codex-cli',
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

it.each([
  ['codex exec hi', undefined],
  ['codex resume', 'chosen'],
  ['codex resume --last', 'last'],
  ['codex exec resume --last more', 'last'],
  ['codex fork 01a218f3-5521-7e82-b4d5-24f09527136c', { id: '01a218f3-5521-7e82-b4d5-24f09527136c' }],
])('%s resumes %j', (words, resumed) => {
  expect(readCodexWords(words.split(' '))?.resumed).toEqual(resumed);
});
