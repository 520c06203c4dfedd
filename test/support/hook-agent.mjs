// Stands in for Claude Code: asks its model, and its hook before it runs what the model calls.
//   HOOK_AGENT=ignores: does not ask the hook. =fails: nor does the command come about. Else as it should be.
import { execFileSync, spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';

const { ANTHROPIC_BASE_URL, HOME, HOOK_AGENT = '' } = process.env;
const settings = JSON.parse(readFileSync(join(HOME, '.claude', 'settings.json'), 'utf8'));
const ask = async (messages) => {
  const body = JSON.stringify({ model: 'm', stream: true, tools: [{ name: 'Bash' }], messages });
  return (await fetch(`${ANTHROPIC_BASE_URL}/v1/messages`, { method: 'POST', body })).text();
};
const events = (await ask([{ role: 'user', content: 'Leave a mark.' }]))
  .split('\n')
  .filter((line) => line.startsWith('data: '))
  .map((line) => JSON.parse(line.slice(6)));
const input = JSON.parse(events.find(({ delta }) => delta?.type === 'input_json_delta').delta.partial_json);
const { id } = events.find(({ content_block: block }) => block?.type === 'tool_use').content_block;
let result = 'it did not work';
if (HOOK_AGENT === '') {
  const call = { hook_event_name: 'PreToolUse', tool_name: 'Bash', tool_input: input, tool_use_id: id, cwd: process.cwd() };
  const { command } = settings.hooks.PreToolUse[0].hooks[0];
  const { stdout, status } = spawnSync('sh', ['-c', command], { input: JSON.stringify(call), encoding: 'utf8' });
  result = stdout || `code ${status}`;
} else if (HOOK_AGENT === 'ignores') result = execFileSync('sh', ['-c', input.command], { encoding: 'utf8' });
await ask([{ role: 'user', content: [{ type: 'tool_result', tool_use_id: id, content: result, is_error: true }] }]);
