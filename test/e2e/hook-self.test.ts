// An agent that turns its own hooks off, or starts itself without them, as its hook sees it.
import { expect, it } from 'vitest';
import { useSandbox } from '../support/attempt.ts';
import { Running } from '../support/running.ts';

const sandbox = useSandbox();

async function hook(client: string, payload: object): Promise<number | null> {
  const { current } = sandbox;
  current.write('policy.toml', '[defaults]\naction = "allow"\n');
  const running = new Running(current.command('hook', client, '--policy', current.path('policy.toml')), {
    env: current.env,
    cwd: current.folder,
  });
  running.stdin.end(JSON.stringify({ ...payload, cwd: current.folder }));
  return (await running.ended).code;
}

const claude = (tool_name: string, tool_input: object): object => ({ hook_event_name: 'PreToolUse', tool_name, tool_input });
const gemini = (tool_name: string, tool_input: object): object => ({
  ...claude(tool_name, tool_input),
  hook_event_name: 'BeforeTool',
});
const copilot = (toolName: string, toolArgs: object): object => ({ toolName, toolArgs });

const PATCH = '*** Begin Patch\n*** Add File: .codex/config.toml\n+[features]\n+hooks = false\n*** End Patch';

it.each([
  ['claude-code', claude('Bash', { command: 'claude --settings /tmp/x.json -p "go on"' })],
  ['claude-code', claude('Bash', { command: 'CLAUDE_CONFIG_DIR=/tmp/x claude -p "go on"' })],
  ['claude-code', claude('Write', { file_path: '.claude/settings.local.json', content: '{"disableAllHooks":true}' })],
  ['claude-code', claude('Bash', { command: `jq '.disableAllHooks=true' x > .claude/settings.json` })],
  ['codex', claude('Bash', { command: 'CODEX_HOME=/tmp/x codex exec "go on"' })],
  ['codex', claude('Bash', { command: 'codex -c features.hooks=false exec "go on"' })],
  ['codex', claude('apply_patch', { command: PATCH })],
  ['gemini-cli', gemini('write_file', { file_path: '.gemini/settings.json', content: '{"hooksConfig":{"enabled":false}}' })],
  ['gemini-cli', gemini('write_file', { file_path: '.gemini/.env', content: 'GEMINI_CLI_HOME=/tmp/x\n' })],
  [
    'windsurf',
    { agent_action_name: 'pre_write_code', tool_info: { file_path: '/x/.windsurf/hooks.json', edits: [{ new_string: '{}' }] } },
  ],
])('%s is denied: %j', async (client, payload) => {
  expect(await hook(client, payload)).toBe(2);
  expect(sandbox.current.decided()).toMatchObject([{ server_id: 'native', action: 'block', reason: 'self' }]);
});

it.each([
  ['claude-code', claude('Bash', { command: 'claude -p "go on"' })],
  ['claude-code', claude('Read', { file_path: '.claude/settings.json' })],
  ['claude-code', claude('Grep', { pattern: 'disableAllHooks', path: '.claude/settings.json' })],
  ['claude-code', claude('Edit', { file_path: '.claude/settings.json', old_string: '"opus"', new_string: '"sonnet"' })],
  ['codex', claude('Bash', { command: 'codex exec --profile review "go on"' })],
  ['gemini-cli', gemini('run_shell_command', { command: 'cat .gemini/settings.json' })],
  ['copilot-cli', copilot('bash', { command: 'git diff .github/hooks' })],
])('%s is not denied: %j', async (client, payload) => {
  expect(await hook(client, payload)).toBe(0);
  expect(sandbox.current.decided()).toMatchObject([{ server_id: 'native', action: 'allow' }]);
});
