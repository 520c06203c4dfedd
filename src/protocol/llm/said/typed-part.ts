/** Most characters of one message that are looked at; the rest is no word of the user. */
const MOST = 64 * 1024;

/** Matches the beginning of a message that a program wrote in the user's name: what a tool returned, or a summary by a model. */
const BY_PROGRAM =
  /^\s*(?:\[[^\]\n]{1,200}\] Result:|observations?\s*\d*:|(?:tool|function|mcp)[ _](?:results?|outputs?|responses?)\b|this session is being continued from a previous conversation|another language model started to solve this problem)/i;

/** Matches a tag that opens or closes a passage. */
const TAG = /<(\/?)([a-z][\w-]{0,63})(?:\s[^<>]{0,500})?>/gi;

/** Tags that agents put around what the user typed. */
const TYPED: ReadonlySet<string> = new Set(
  'task user_query userquery user_request userrequest user_message user_input answer feedback'.split(' '),
);

/** Matches a name that no person gives a tag: a passage without an end then reaches to the end of the message. */
const BY_AGENT = /[_-]|^(?:instructions|context|attachments?|environment|memory)$/;

/**
 * Returns what a person may have typed of a user's message: agents add reminders, files and results to it, in tags. It is empty for a message
 * that a program wrote.
 */
export function typedPart(message: string): string {
  const text = message.slice(0, MOST);
  if (BY_PROGRAM.test(text)) return '';
  if (!text.includes('<')) return text.trim();
  const tags = Array.from(text.matchAll(TAG), ({ 0: all, 1: slash, 2: name = '', index }) => ({
    name: name.toLowerCase(),
    isEnd: slash !== '',
    start: index,
    end: index + all.length,
  }));
  // The last one counts, since a file in a passage may have the tag that ends it.
  const last = new Map(tags.flatMap(({ name, isEnd, end }) => (isEnd ? [[name, end]] : [])));
  let typed = '';
  let from = 0;
  for (const { name, isEnd, start, end } of tags) {
    if (start < from) continue;
    const closed = last.get(name);
    const isPassage = !isEnd && !TYPED.has(name) && (closed === undefined ? BY_AGENT.test(name) : closed > start);
    if (!isEnd && !isPassage && !TYPED.has(name)) continue;
    // An end without a beginning: whoever wrote it wants what follows to look like the user's.
    if (isEnd && !TYPED.has(name)) typed = '';
    else typed += text.slice(from, start);
    typed += '\n';
    from = isPassage ? (closed ?? text.length) : end;
  }
  return (typed + text.slice(from)).trim();
}
