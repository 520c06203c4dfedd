import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { findMessageCalls, rewriteMessage } from '../../../../src/protocol/llm/anthropic/buffered.ts';
import { restoreCalls } from '../../../../src/protocol/llm/anthropic/restore.ts';
import type { CallVerdict } from '../../../../src/protocol/llm/dialect.ts';
import { createLedger } from '../../../support/denied-ledger.ts';

// What the API gets is the conversation that it had with the model, whatever was denied of it and however the client writes it down.

type Block = Readonly<Record<string, unknown>>;

interface Turn {
  readonly blocks: readonly Block[];
  /** What the user says next: blocks, or a text. */
  readonly next: readonly Block[] | string;
}

const WHY = 'clawai denied the tool call "Bash": no.\n\n[clawai] é🏔 "\u2028.';
const word = fc.string({ minLength: 1, maxLength: 8, unit: 'grapheme' }).filter((text) => text.trim() === text && text !== '');
const text = word.map((words): Block => ({ type: 'text', text: words }));
const thinking = word.map((words): Block => ({ type: 'thinking', thinking: words, signature: 'c2ln' }));
const call = fc
  .record({ input: fc.dictionary(fc.constantFrom('path', 'é', 'n'), fc.oneof(word, fc.integer())), isDenied: fc.boolean() })
  .map(({ input, isDenied }): Block => ({ type: 'tool_use', id: '', name: isDenied ? 'Denied' : 'Allowed', input }));
const turn: fc.Arbitrary<Turn> = fc.record({
  blocks: fc.array(fc.oneof(text, thinking, call), { minLength: 1, maxLength: 5 }),
  next: fc.oneof(fc.array(text, { minLength: 1, maxLength: 2 }), word),
});
const turns = fc.array(turn, { minLength: 1, maxLength: 5 }).map((made) =>
  made.map(({ blocks, next }, at): Turn => ({
    blocks: blocks.map((block, index) => (block['type'] === 'tool_use' ? { ...block, id: `toolu_${at}_${index}` } : block)),
    next,
  })),
);

const isDenied = ({ name }: Block): boolean => name === 'Denied';
const isAllowed = ({ name }: Block): boolean => name === 'Allowed';
const result = (block: Block): Block => ({ type: 'tool_result', tool_use_id: block['id'], content: 'done' });
const failure = (block: Block): Block => ({ type: 'tool_result', tool_use_id: block['id'], is_error: true, content: WHY });

/** Texts in a row as one, as some clients write them down. */
function merged(blocks: readonly Block[], by: string): readonly Block[] {
  const out: Block[] = [];
  for (const block of blocks) {
    const last = out.at(-1);
    const isOne = last !== undefined && last['type'] === 'text' && block['type'] === 'text';
    if (isOne) out.splice(-1, 1, { type: 'text', text: `${String(last['text'])}${by}${String(block['text'])}` });
    else out.push(block);
  }
  return out;
}

const wordsOf = (next: Turn['next']): readonly Block[] => (typeof next === 'string' ? [{ type: 'text', text: next }] : next);

/** The conversation as the client has it, with notes, and as the model had it, with results. */
function tell(made: readonly Turn[]) {
  const ledger = createLedger();
  const client: { role: string; content: unknown }[] = [{ role: 'user', content: 'go' }];
  const original: { role: string; content: unknown }[] = [{ role: 'user', content: 'go' }];
  for (const [at, { blocks, next }] of made.entries()) {
    const whole = JSON.stringify({ id: `msg_${at}`, content: blocks, stop_reason: 'tool_use' });
    const calls = findMessageCalls(whole);
    if (typeof calls === 'string') throw new Error(calls);
    const verdicts = calls.map((one): CallVerdict =>
      one.name === 'Allowed' ? { isAllowed: true } : { isAllowed: false, note: ledger.note(one, WHY) },
    );
    const { content } = JSON.parse(rewriteMessage(whole, verdicts)) as { readonly content: readonly Block[] };
    const results = blocks.filter(isAllowed).map(result);
    client.push({ role: 'assistant', content });
    client.push({ role: 'user', content: results.length === 0 ? next : [...results, ...wordsOf(next)] });
    const failures = blocks.filter(isDenied).map(failure);
    original.push({ role: 'assistant', content: blocks });
    const isSame = failures.length === 0 && results.length === 0;
    original.push({ role: 'user', content: isSame ? next : [...failures, ...results, ...wordsOf(next)] });
  }
  return { ledger, client, original };
}

/** Texts in a row, of which it does not matter how they are cut. */
function plain(messages: readonly { role: string; content: unknown }[], by: string): unknown {
  return messages.map(({ role, content }) => ({
    role,
    content: Array.isArray(content) && role === 'assistant' ? merged(content as Block[], by) : content,
  }));
}

describe('any conversation, any calls of it denied', () => {
  it('is the original one, with results that say what was denied', () => {
    let denials = 0;
    fc.assert(
      fc.property(turns, (made) => {
        const { ledger, client, original } = tell(made);
        const before = JSON.stringify({ model: 'm', messages: client });
        const restored = restoreCalls(before, ledger);
        expect(restored).toBe(JSON.stringify({ model: 'm', messages: original }));
        denials += made.flatMap(({ blocks }) => blocks.filter(isDenied)).length;
        // The same in every turn, and once.
        expect(restoreCalls(before, ledger)).toBe(restored);
        expect(restoreCalls(restored, ledger)).toBe(restored);
      }),
    );
    expect(denials).toBeGreaterThan(20);
  });

  it('hazard 30: is so, too, where the client makes one text of several, and no text in it is empty', () => {
    fc.assert(
      fc.property(turns, fc.constantFrom('', '\n', '\n\n'), fc.boolean(), (made, by, isCount) => {
        const { ledger, client, original } = tell(made);
        const written = client.map(({ role, content }) => ({
          role,
          content: Array.isArray(content) && role === 'assistant' ? merged(content as Block[], by) : content,
        }));
        // Without what the user says last, as where only the size is asked.
        const sent = isCount ? written.slice(0, -1) : written;
        const restored = JSON.parse(restoreCalls(JSON.stringify({ messages: sent }), ledger)) as { messages: typeof client };
        const strip = (messages: readonly { role: string; content: unknown }[]) =>
          JSON.parse(JSON.stringify(plain(messages, '')).replaceAll('\\n', '')) as unknown;
        const upTo = isCount ? original.length - 1 : original.length;
        expect(strip(restored.messages.slice(0, upTo))).toEqual(strip(original.slice(0, upTo)));
        expect(JSON.stringify(restored)).not.toMatch(/"text":"(?:\\n)*"/);
        expect(restoreCalls(JSON.stringify(restored), ledger)).toBe(JSON.stringify(restored));
      }),
    );
  });

  it('stays as it is for whoever does not know the calls', () => {
    fc.assert(
      fc.property(turns, (made) => {
        const before = JSON.stringify({ messages: tell(made).client });
        expect(restoreCalls(before, createLedger('other'))).toBe(before);
      }),
    );
  });

  it('stays as it is where a note is not wholly what it was', () => {
    fc.assert(
      fc.property(turns, fc.nat(), fc.constantFrom('', 'x'), (made, where, by) => {
        const { ledger, client } = tell(made);
        const notes = [...JSON.stringify(client).matchAll(/\[clawai blk_[\w-]{16}\] /g)].map(([start]) => start);
        const changed = client.map((message) => ({ ...message }));
        for (const message of changed) {
          if (!Array.isArray(message.content)) continue;
          message.content = (message.content as Block[]).map((block) => {
            const said = block['text'];
            if (typeof said !== 'string' || !notes.some((note) => said.startsWith(note))) return block;
            const at = where % said.length;
            return { ...block, text: said.slice(0, at) + (said[at] === by ? 'y' : by) + said.slice(at + 1) };
          });
        }
        const before = JSON.stringify({ messages: changed });
        expect(restoreCalls(before, ledger)).toBe(before);
      }),
    );
  });
});
