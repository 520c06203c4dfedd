import { programOf } from './program-of.ts';

/** Who is asked by agents that no variable leads to us, or that ask in words that we don't know, by the names of their programs. */
const ASKED: ReadonlyMap<string, string> = new Map([
  ['codex', "OpenAI's Responses API"],
  ['copilot', 'GitHub, or what COPILOT_PROVIDER_BASE_URL names'],
  ['cursor-agent', "Cursor's servers"],
]);

/** Whom an agent asks for what its model says, where that does not come by here; undefined for agents that are led to us, or that nobody knows. @param command as it was typed */
export function findUnseenModel(command: string): string | undefined {
  return ASKED.get(programOf(command));
}
