import { holdsCallWords } from '../../calls.ts';
import { isObject, type JsonObject } from '../../json-object.ts';
import { formatUnknown } from '../../note.ts';

/** Parts that a message is made of where it is a list, of OpenAI's and others who speak its API. */
const PARTS: ReadonlySet<unknown> = new Set(
  `audio citation document document_url file image image_url input_audio input_image output_audio output_text reasoning
  reasoning_text redacted_thinking reference refusal summary_text text thinking tool_reference video video_url`.split(/\s+/),
);

/** Members of a message, or of a part of it, whose calls are read. */
const READ = ['tool_calls', 'function_call'];

/** Where Groq tells what it has run by itself, by name and arguments. No client runs it again. */
const RUN_BY_PROVIDER = 'executed_tools';

/**
 * What an answer, or a chunk of one, has that may be a call and is not read as one: under a name that nobody knows, or in the words of another API.
 *
 * @param read which member of a choice has the calls that are read: some clients take the one for the other
 * @returns what it is; undefined where there is nothing of the kind
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
    for (const said of [delta, message].filter(isObject)) {
      const { content } = said;
      const parts: readonly unknown[] = Array.isArray(content) ? content : isObject(content) ? [content] : [];
      const unknown = parts.find((part) => typeof part !== 'string' && !(isObject(part) && PARTS.has(part['type'] ?? 'text')));
      if (unknown !== undefined)
        return formatUnknown('a part of a message', String(isObject(unknown) ? unknown['type'] : unknown));
    }
  }
  return around.some(holdsCallWords) ? 'a call where none is expected' : undefined;
}
