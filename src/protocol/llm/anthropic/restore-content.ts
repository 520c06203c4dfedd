import type { NotedCall } from '../denied-calls.ts';
import { applyEdits, type Edit, elementsOf, membersOf, sourceOf, stringOf, type TextSpan, wholeOf } from '../json-text.ts';
import { MARKED_NOTE } from '../note.ts';
import { setMember } from '../set-member.ts';
import { formatTextElement } from './call-block.ts';

/**
 * The edits that put calls where their notes are in what the model said. What stands around a note stays text, of its own; the API refuses a
 * text of white space.
 *
 * @param message what the model said
 * @param notedIn finds the notes of a text
 */
export function restoreContent(
  text: string,
  message: TextSpan,
  notedIn: (said: string) => readonly NotedCall[],
): readonly Edit[] {
  const content = membersOf(text, message)?.get('content');
  if (content === undefined) return [];
  const said = stringOf(text, content);
  if (said !== undefined) {
    const noted = notedIn(said);
    return noted.length === 0 ? [] : [{ ...content, text: `[${cut(said, noted).join(',')}]` }];
  }
  return (elementsOf(text, content) ?? []).flatMap((block) => {
    if (!text.slice(block.start, block.end).includes(MARKED_NOTE)) return [];
    const members = membersOf(text, block);
    const words = stringOf(text, members?.get('type')) === 'text' ? stringOf(text, members?.get('text')) : undefined;
    const noted = words === undefined ? [] : notedIn(words);
    if (words === undefined || noted.length === 0) return [];
    const blocks = [...cut(words, noted)];
    const cached = sourceOf(text, members?.get('cache_control'));
    const last = blocks.pop() ?? '';
    // The cache ends where it ended.
    blocks.push(cached === undefined ? last : withMember(last, 'cache_control', cached));
    return [{ ...block, text: blocks.join(',') }];
  });
}

/** The blocks that a text is made of: calls in the places of their notes, and what is around them. JSON texts, at least one. */
function cut(said: string, noted: readonly NotedCall[]): readonly string[] {
  const blocks: string[] = [];
  let from = 0;
  const addText = (to: number): void => {
    const words = said.slice(from, to);
    if (words.trim() !== '') blocks.push(formatTextElement(words));
  };
  for (const { call, start, end } of noted) {
    addText(start);
    blocks.push(call.text);
    from = end;
  }
  addText(said.length);
  return blocks;
}

function withMember(object: string, name: string, value: string): string {
  return applyEdits(object, [setMember(object, wholeOf(object), name, value)]);
}
