import { expect, it } from 'vitest';
import { programOf } from '../../../src/cli/llm/program-of.ts';

it.each([
  ['claude', 'claude'],
  ['/opt/bin/claude', 'claude'],
  ['C:\\Programs\\Claude.EXE', 'claude'],
  ['codex.cmd', 'codex'],
  ['./my.agent', 'my.agent'],
])('%s is %s', (command, program) => {
  expect(programOf(command)).toBe(program);
});
