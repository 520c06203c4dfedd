import { expect, it } from 'vitest';
import { findUnseenModel } from '../../../src/cli/llm/unseen-model.ts';

it.each(['codex', '/opt/bin/codex', 'Codex.cmd', 'copilot', 'cursor-agent'])(
  'what the model of %s says does not come by',
  (command) => {
    expect(findUnseenModel(command)).toMatch(/\w/);
  },
);

it.each(['claude', 'gemini', 'opencode', 'node', 'my-codex'])('%s is led to us, or nobody knows', (command) => {
  expect(findUnseenModel(command)).toBeUndefined();
});
