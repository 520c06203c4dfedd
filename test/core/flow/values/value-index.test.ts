import { describe, expect, it } from 'vitest';
import { MOST_RESULTS, ValueIndex } from '../../../../src/core/flow/values/value-index.ts';
import { Memory, hasher } from './memory.ts';
import { randomBytes } from './random-bytes.ts';

const KEY = 'vT9kQz4mXr7wLpB2cN8dJ5sG';
const LINE = 'Grandma hides her ring in the blue biscuit tin behind the boiler';

describe('ValueIndex', () => {
  it('says which result had a value, how it was written, its kind and its length', () => {
    const memory = new Memory();
    memory.answer('notes', `${LINE}\n${KEY}`, 'call-1');
    expect(memory.find('mail', { text: KEY })).toEqual([
      { source: 'call-1', encoding: 'plain', description: 'an identifier of 24 characters' },
    ]);
    expect(memory.find('mail', { text: LINE })).toEqual([
      { source: 'call-1', encoding: 'plain', description: 'a line of 64 characters' },
    ]);
    expect(
      memory.find('mail', { url: `https://x.example/${encodeURIComponent(Buffer.from(KEY).toString('base64'))}%3d` }),
    ).toEqual([{ source: 'call-1', encoding: 'base64', description: 'an identifier of 24 characters' }]);
    const twice = Buffer.from(Buffer.from(KEY).toString('hex')).toString('base64');
    expect(memory.find('mail', { twice })).toEqual([
      { source: 'call-1', encoding: 'base64, hex', description: 'an identifier of 24 characters' },
    ]);
    expect(memory.find('mail', { lines: `${LINE}\nand ${KEY} too` })).toEqual([
      { source: 'call-1', encoding: 'plain', description: 'a line of 64 characters and an identifier of 24 characters' },
    ]);
  });

  it('never shows a value', () => {
    const memory = new Memory();
    memory.answer('notes', `${KEY} 4929 3813 3266 4295 ${LINE}`);
    const [evidence] = memory.find('mail', { text: `${KEY} 4929381332664295 ${LINE}` });
    expect(evidence?.description).toMatch(
      /^(?:(?:an?|\d+) (?:lines?|passages?|identifiers?|numbers?)(?: of \d+ (?:characters|digits))?(?:, | and |$))+$/,
    );
  });

  it('has nothing for the same server, whatever else has the value', () => {
    const memory = new Memory();
    memory.answer('notes', KEY);
    expect(memory.find('notes', { text: KEY })).toEqual([]);
    memory.answer('drive', KEY);
    expect(memory.find('notes', { text: KEY })).toEqual([]);
  });

  it('has nothing for what the called server was told before, and all for what it was told after', () => {
    const memory = new Memory();
    memory.tell('mail', { text: KEY });
    memory.answer('notes', `${KEY}\n${LINE}`);
    memory.tell('mail', { text: LINE });
    expect(memory.find('mail', { text: KEY })).toEqual([]);
    expect(memory.find('mail', { text: LINE })).toHaveLength(1);
    // It had that from the first answer.
    memory.answer('notes', `${KEY}\n${LINE}`);
    expect(memory.find('mail', { text: KEY })).toEqual([]);
    expect(memory.find('mail', { text: LINE })).toHaveLength(1);
  });

  it('has nothing for what the answering server was told, before or in the very call, in any encoding', () => {
    const memory = new Memory();
    memory.tell('notes', { query: Buffer.from(KEY).toString('base64') });
    memory.answer('notes', `Nothing was found for ${KEY}.`);
    expect(memory.find('mail', { text: KEY })).toEqual([]);
  });

  it('names each result, the newest first, and of one server only the newest', () => {
    const memory = new Memory();
    memory.answer('notes', KEY, 'old');
    memory.answer('drive', KEY, 'middle');
    memory.answer('notes', KEY, 'new');
    expect(memory.find('mail', { text: KEY }).map(({ source }) => source)).toEqual(['new', 'middle']);
  });

  it('takes a passage of several servers for common talk, and a key for a key', () => {
    const memory = new Memory();
    memory.answer('notes', LINE);
    expect(memory.find('mail', { text: LINE })).toHaveLength(1);
    memory.answer('drive', `${LINE} ${KEY}`);
    memory.answer('wiki', KEY);
    // The second may have it from the first, by way of a file.
    expect(memory.find('mail', { text: LINE })).toHaveLength(2);
    memory.answer('wiki', LINE);
    expect(memory.find('mail', { text: LINE })).toEqual([]);
    expect(memory.find('mail', { text: KEY })).toHaveLength(2);
  });

  it('forgets the oldest result first', () => {
    const memory = new Memory();
    const keys = Array.from({ length: MOST_RESULTS * 6 }, (_, index) => randomBytes(24, `key ${index}`).toString('base64url'));
    for (const [index, key] of keys.entries()) memory.answer(`server ${index % 3}`, key, `call ${index}`);
    const known = keys.map((key) =>
      memory
        .find('mail', { key })
        .map(({ source }) => source)
        .join(),
    );
    expect(known).toEqual(keys.map((_key, index) => (index < keys.length - MOST_RESULTS ? '' : `call ${index}`)));
  });

  it('forgets the oldest also where there are few that have very much', () => {
    const memory = new Memory();
    memory.answer('wiki', KEY, 'first');
    expect(memory.find('mail', { text: KEY })).toHaveLength(1);
    for (let i = 0; i < 70; i++) {
      const text = Array.from({ length: 500 }, (_, line) => randomBytes(24, `${i} ${line}`).toString('base64url')).join('\n');
      memory.answer('drive', text, `much ${i}`);
    }
    expect(memory.find('mail', { text: KEY })).toEqual([]);
  });

  it('takes what another key sealed, or is no sealed value, for nothing', () => {
    const index = new ValueIndex(hasher);
    index.add({ source: 'a', server: 'notes', time: 1, hashes: randomBytes(32 * 1024) });
    expect(index.find({ text: KEY.repeat(100) }, { server: 'mail', sent: new Memory().said('mail') })).toEqual([]);
  });
});
