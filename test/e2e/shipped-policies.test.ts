import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, describe, expect, it } from 'vitest';
import { attempt, useSandbox } from '../support/attempt.ts';
import { ModelMock } from '../support/model-mock.ts';
import { ROOT } from '../support/run-cli.ts';
import { Serving } from '../support/serving.ts';

const sandbox = useSandbox();

/** A shipped policy as it is, but that nobody is asked, so that what would ask is denied at once. */
function shipped(name: string): string {
  return `${readFileSync(join(ROOT, 'policies', `${name}.toml`), 'utf8')}\n[approval]\nchannels = []\n`;
}

function call(id: string, name: string, args: object): unknown {
  return { jsonrpc: '2.0', id, method: 'tools/call', params: { name, arguments: args } };
}

/** Which of some calls reach a server under `default`. */
const HELD: readonly [string, string, object][] = [
  ['a hostile name, and a command', 'weather', { command: 'id' }],
  ['a shell', 'Terminal', { input: 'id' }],
  ['a program', 'kubectl', { args: 'delete ns shop' }],
  ['the folder around the passwords', 'move_file', { source: '~/.mozilla', destination: '~/m' }],
  ['the folder around the log-in of Docker', 'copy_directory', { from: '~/.docker', to: '/tmp/d' }],
  ['a key under the name of a text', 'lookup', { query: '~/.ssh/id_rsa' }],
  ['a key beside a text', 'write_file', { path: '~/.ssh/authorized_keys', content: 'ssh-rsa AAAA' }],
  ['what the shell reads at its start', 'write_file', { path: '~/.bashrc', content: 'x' }],
  ['a hook of git', 'write_file', { path: '.git/hooks/pre-commit', content: 'x' }],
  ['the servers of the project', 'write_file', { path: '.mcp.json', content: '{}' }],
  ['the metadata', 'get_page', { url: 'http://169.254.169.254/latest/meta-data/' }],
  ['the metadata in decimal', 'get_page', { url: 'http://2852039166/latest/meta-data/' }],
  ['the metadata in IPv6', 'get_page', { url: 'http://[::ffff:a9fe:a9fe]/latest/' }],
  ['a forced push', 'git_push', { force: true }],
  ['a merge', 'merge_pull_request', { pull_number: 7 }],
  ['a dropped table', 'query', { sql: 'drop table orders' }],
  ['a dropped table in a list', 'run_sql', { sqlStatements: ['select 1', 'drop table orders'] }],
  ['a branch that a push deletes', 'git_push', { refspec: ':main' }],
  ['what an argument says is deleted', 'delete_thing', { kind: 'Namespace', name: 'shop' }],
  ['a download to where the shell reads', 'download', { url: 'https://a.test/x', output: '~/.bashrc' }],
  ['a key in quotes', 'read_file', { path: '"~/.netrc" ' }],
  ['a line of a key', 'read_file', { path: '~/.netrc:1' }],
  ['the metadata by a name that holds its address', 'get_page', { url: 'http://x.169.254.169.254.sslip.io/latest/' }],
  ['a key of a service', 'read_file', { path: '/srv/shop/AuthKey_X.p8' }],
  ['passwords that a browser gave out', 'read_file', { path: '~/Downloads/Chrome Passwords.csv' }],
  ['the passwords of a site', 'read_file', { path: '/srv/shop/wp-config.php' }],
  ['a service that is scaled to none', 'kubectl_scale', { name: 'shop', replicas: 0 }],
  ['a collection that a pipeline replaces', 'aggregate', { pipeline: [{ $out: 'users' }] }],
  ['a folder of the system that is searched', 'grep', { pattern: 'KEY', path: '/etc' }],
  ['a hidden folder that is searched', 'grep', { pattern: 'KEY', path: '~/.vercel' }],
  ['a folder of the system that is copied', 'copy_directory', { from: '/etc/NetworkManager', to: '/tmp/x' }],
  ['a program that stands before others', 'write_file', { path: '~/.cargo/bin/cargo', content: 'x' }],
  ['a chart', 'install_helm_chart', { chart: 'shop' }],
  ['a folder of commands that is put in its place', 'move_file', { source: 'x', destination: '.claude/commands' }],
  [
    'the settings of an agent in a worktree',
    'write_file',
    { path: '.claude/worktrees/fix/.claude/settings.json', content: '{}' },
  ],
  ["a backup of an agent's log-in", 'read_file', { path: '~/.claude.json.backup' }],
  ['variables that a shell keeps', 'read_file', { path: '~/.config/fish/fish_variables' }],
  ['a program that takes its arguments', 'imagemagick', { args: ['a.png', 'b.png'] }],
];
const FREE: readonly [string, string, object][] = [
  ["a file's content", 'write_file', { path: 'README.md', content: 'The keys are in ~/.ssh/config' }],
  ["an issue's body", 'create_issue', { title: 'Ignore .env', body: 'It reads ~/.aws/credentials.\nBye' }],
  ['a search', 'search_code', { query: '.env' }],
  ['an edit', 'edit_file', { path: 'a.ts', edits: [{ oldText: 'a', newText: 'open("~/.ssh/config")' }] }],
  ['an edit of a path', 'edit_file', { path: 'a.ts', edits: [{ oldText: '~/.netrc', newText: '~/.ssh/config' }] }],
  ['a search for a statement', 'web_search', { query: 'drop table if exists' }],
  ['cells of a table', 'update_values', { range: 'A1', values: [['Login Data', '.env']] }],
  ['a message', 'add_message', { payload: 'See ~/.ssh/config' }],
  ['a file in a worktree', 'write_file', { path: '.claude/worktrees/fix/src/a.ts', content: 'x' }],
  ['a plan', 'write_file', { path: '~/.claude/plans/fix.md', content: 'x' }],
  ['a push', 'git_push', { force: false }],
  ['a query', 'query', { sql: 'select * from orders' }],
  ['a search in files', 'grep', { pattern: 'KEY', path: 'src' }],
  ['a listing', 'list_directory', { path: '~/.config' }],
];

it('default holds what it says, and lets everyday calls pass, through the real binary', async () => {
  const messages = [...HELD, ...FREE].map(([id, tool, args]) => call(id, tool, args));
  const { reached } = await attempt(sandbox.current, shipped('default'), messages);
  expect(reached).toEqual(FREE.map(([id]) => id));
});

describe("the agent's own tools, where its model's answers are looked at", () => {
  let mock: ModelMock | undefined;
  let serving: Serving | undefined;
  afterEach(async () => {
    await serving?.stop();
    await mock?.stop();
  });

  it.each([
    ['default', ['Bash', 'Read of a key', 'shell', 'write_stdin'], ['Read', 'Edit', 'Task', 'Write of prose']],
    ['strict', ['Bash', 'Read of a key', 'shell', 'write_stdin', 'Edit', 'Write of prose', 'frobnicate'], ['Read', 'Task']],
    ['read-only', ['Bash', 'Read of a key', 'shell', 'write_stdin', 'Edit', 'Write of prose', 'frobnicate'], ['Read', 'Task']],
  ])('under %s', async (name, denied, allowed) => {
    const inputs: Readonly<Record<string, object>> = {
      Bash: { command: 'cat notes' },
      'Read of a key': { file_path: '/home/ann/.ssh/id_rsa' },
      shell: { command: ['bash', '-lc', 'ls'] },
      write_stdin: { session_id: 1, chars: 'ls\n' },
      Read: { file_path: 'src/a.ts' },
      Edit: { file_path: 'src/a.ts', old_string: 'a', new_string: 'b' },
      Task: { description: 'Look', prompt: 'Where is ~/.ssh/config read?' },
      'Write of prose': { file_path: 'a.md', content: 'The keys are in ~/.ssh/config' },
      frobnicate: {},
    };
    const names = [...denied, ...allowed];
    mock = await ModelMock.start(
      names.map((each, index) => ({ id: `toolu_${index}x`, name: each.split(' ')[0] ?? '', input: inputs[each] ?? {} })),
    );
    const config = `[llm.providers.anthropic]\nbase_url = "${mock.origin}"\n`;
    serving = await Serving.start(sandbox.current, { policy: shipped(name), config });
    const [line = ''] = serving.process.stdout.toString().split('\n');
    const { llm } = JSON.parse(line) as { readonly llm: readonly { readonly url: string }[] };
    const answer = await fetch(`${llm[0]?.url}/v1/messages`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ model: 'm', max_tokens: 9, stream: true, messages: [{ role: 'user', content: 'Do it.' }] }),
    });
    const text = await answer.text();
    expect(names.filter((_, index) => text.includes(`toolu_${index}x`))).toEqual(allowed);
  });
});
