import { expect, it } from 'vitest';
import { isDeniedBySelf } from '../../support/own.ts';

it.each([
  ['codex exec --dangerously-bypass-hook-trust "go on"', true],
  ['claude --bare -p "go on"', true],
  ['npx @anthropic-ai/claude-code --bare -p x', true],
  ['cd x && /usr/local/bin/claude -p x --bare', true],
  [`claude -p x --settings '{"disableAllHooks": true}'`, true],
  [`echo '{"disableAllHooks":true}' > .claude/settings.local.json`, true],
  ['bash -c "claude --bare -p x"', true],
  ['git clone --bare https://example.com/x.git', false],
  ['claude -p "go on"', false],
  ['grep -rn disableAllHooks docs', false],
  [`echo '{"disableAllHooks": false}' > x.json`, false],
  ['codex exec "go on"', false],
])('%s: denied is %s', (command, isDenied) => {
  expect(isDeniedBySelf({ tool: 'bash', args: { command } })).toBe(isDenied);
});
