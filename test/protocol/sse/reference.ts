import type { ReadFrame } from './reading.ts';

/** The specification's rules (9.2.6), word for word and slow, on the whole text of a stream. Frames that say nothing are left out. */
export function readByTheRules(text: string): readonly Omit<ReadFrame, 'isPlain'>[] {
  const frames: Omit<ReadFrame, 'isPlain'>[] = [];
  const lines = text.replace(/^\uFEFF/, '').split(/\r\n|\n|\r/);
  lines.pop();
  let data = '';
  let event = '';
  let id: string | undefined;
  let retry: string | undefined;
  for (const line of lines) {
    if (line === '') {
      if (data !== '') frames.push({ data: data.slice(0, -1), event: event === '' ? undefined : event, id, retry });
      else if (id !== undefined || retry !== undefined) frames.push({ data: undefined, event: undefined, id, retry });
      [data, event, id, retry] = ['', '', undefined, undefined];
      continue;
    }
    if (line.startsWith(':')) continue;
    const colon = line.indexOf(':');
    const name = colon === -1 ? line : line.slice(0, colon);
    const value = colon === -1 ? '' : line.slice(colon + 1).replace(/^ /, '');
    if (name === 'event') event = value;
    else if (name === 'data') data += `${value}\n`;
    else if (name === 'id' && !value.includes('\0')) id = value;
    else if (name === 'retry' && /^[0-9]+$/.test(value)) retry = value;
  }
  return frames;
}
