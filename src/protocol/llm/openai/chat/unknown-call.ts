import { holdsCallWords } from '../../calls.ts';
import { isObject, type JsonObject } from '../../json-object.ts';
import { formatUnknown } from '../../note.ts';

/** Parts of a message's content list, of OpenAI and of other providers of its API. */
const PARTS: ReadonlySet<unknown> = new Set(
  `audio citation document document_url file image image_url input_audio input_image output_audio output_text reasoning
  reasoning_text redacted_thinking reference refusal summary_text text thinking tool_reference video video_url`.split(/\s+/),
);

/** Members of a message, or of a delta, whose calls are read. */
const READ = ['tool_calls', 'function_call'];

/** Groq's member for what it has run by itself, with name and arguments. No client runs it again. */
const RUN_BY_PROVIDER = 'executed_tools';

/**
 * Finds possible calls in an answer, or a chunk of one, that are not read as calls: under an unknown name, or in the words of another API.
 *
 * @param read the member of a choice whose calls are read: some clients take one for the other
 * @returns a description; undefined if there is none
 */
export function findUnknownCall({ choices, ...rest }: JsonObject, read: 'delta' | 'message'): string | undefined {
  const around = [rest];
  for (const choice of Array.isArray(choices) ? (choices as readonly unknown[]).filter(isObject) : []) {
    const { delta, message, ...others } = choice;
    around.push(others);
    const [own, other] = read === 'delta' ? [delta, message] : [message, delta];
    if (isObject(other)) around.push(other);
    if (isObject(own)) {
      const unread = Object.entries(own).filter(([key]) => !READ.includes(key) && key !== RUN_BY_PROVIDER);
      around.push(Object.fromEntries(unread));
    }
    for (const holder of [delta, message].filter(isObject)) {
      const { content } = holder;
      const parts: readonly unknown[] = Array.isArray(content) ? content : isObject(content) ? [content] : [];
      const unknown = parts.find((part) => typeof part !== 'string' && !(isObject(part) && PARTS.has(part['type'] ?? 'text')));
      if (unknown !== undefined)
        return formatUnknown('a part of a message', String(isObject(unknown) ? unknown['type'] : unknown));
    }
  }
  return around.some(holdsCallWords) ? 'a call where none is expected' : undefined;
}
