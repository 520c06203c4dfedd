import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { describe, expect, it } from 'vitest';
import { DeniedLedger } from '../../../src/gate/model/denied-ledger.ts';
import { createLedger, tellable } from '../../support/denied-ledger.ts';

const call = (id: string, more = '') => `{"type":"tool_use","id":"${id}","name":"Bash","input":{"a": 1.0${more}}}`;
const A = call('A');
const DAY = 24 * 60 * 60 * 1000;

describe('a denied call', () => {
  it('is known again by its note, wherever that stands', () => {
    const ledger = createLedger();
    expect(ledger.isEmpty).toBe(true);
    const note = ledger.note(tellable(A), 'No: "é".');
    expect(note).toMatch(/^\[clawai blk_[\w-]{16}\] No: "é"\.$/);
    expect(ledger.isEmpty).toBe(false);
    const said = { id: 'A', name: 'Bash', text: A, note };
    expect(ledger.notedIn(note)).toMatchObject([{ call: said, start: 0, end: note.length }]);
    // It was made once, however often it is told of.
    expect(ledger.notedIn(`so ${note}${note}then`)).toMatchObject([{ call: said, start: 3, end: 3 + note.length }]);
  });

  it('is known by the answer that it was part of', () => {
    const ledger = createLedger();
    ledger.note(tellable(A, { answer: 'msg_1' }), 'No.');
    ledger.note(tellable(call('B'), { answer: 'msg_1' }), 'No.');
    ledger.note(tellable(call('C'), { answer: 'msg_2' }), 'No.');
    expect(ledger.ofAnswer('msg_1').map(({ id }) => id)).toEqual(['A', 'B']);
    expect(ledger.ofAnswer('msg_3')).toEqual([]);
  });

  it('has one result where it was denied twice, as where the denial could not be recorded', () => {
    const ledger = createLedger();
    const notes = ['No.', 'Never.'].map((why) => ledger.note(tellable(A, { answer: 'msg_1' }), why));
    for (let time = 0; time < 2; time++) ledger.note(tellable(call(''), { answer: 'msg_1' }), 'No.');
    expect(ledger.ofAnswer('msg_1').map(({ id, note }) => [id, note])).toEqual([
      ['A', notes[1]],
      ['', expect.any(String)],
      ['', expect.any(String)],
    ]);
    for (const note of notes) expect(ledger.notedIn(note)).toHaveLength(1);
  });

  it('has the same note where it is the same, and another one where anything differs', () => {
    const ledger = createLedger();
    const made = [
      ledger.note(tellable(A, { answer: 'msg_1' }), 'No.'),
      ledger.note(tellable(A, { answer: 'msg_2' }), 'No.'),
      ledger.note(tellable(A), 'No.'),
      ledger.note(tellable(call('B')), 'No.'),
      ledger.note(tellable(call('A', ',"b":1')), 'No.'),
      ledger.note(tellable(A), 'Never.'),
      createLedger('other').note(tellable(A), 'No.'),
    ];
    expect(new Set(made).size).toBe(made.length);
    expect(ledger.note(tellable(A), 'No. \n')).toBe(made[2]);
  });

  it('without an id of its own is one call each time', () => {
    const ledger = createLedger();
    const [first, second] = [ledger.note(tellable(call('')), 'No.'), ledger.note(tellable(call('')), 'No.')];
    expect(first).not.toBe(second);
    expect(ledger.notedIn(`${first}${second}`)).toHaveLength(2);
  });

  it('has a note that every encoding keeps', () => {
    const ledger = createLedger();
    const note = ledger.note(tellable(A), 'half \ud83d of one \n');
    expect(note).toMatch(/half \ufffd of one$/);
  });
});

describe('no call', () => {
  it.each([
    ['can not be told again', { inHistory: undefined }],
    ['is longer than what is kept', { args: 'x'.repeat(1024 * 1024 + 1) }],
  ])('is kept that %s', (_what, more) => {
    const ledger = createLedger();
    expect(ledger.note(tellable(A, more), 'No.')).toBe('[clawai] No.');
    expect(ledger.isEmpty).toBe(true);
  });

  it('is meant by a note that was changed, made up, or given elsewhere', () => {
    const ledger = createLedger();
    const note = ledger.note(tellable(A), 'No.');
    const elsewhere = createLedger('other').note(tellable(A), 'No.');
    for (const forged of [
      note.slice(0, -1),
      note.replace('No', 'no'),
      note.replace('] ', ']  '),
      note.replace('blk_', 'blk-'),
      note.replace(/blk_./, (start) => `blk_${start.endsWith('A') ? 'B' : 'A'}`),
      '[clawai blk_AAAAAAAAAAAAAAAA] No.',
      '[clawai blk_',
      '[clawai] No.',
      elsewhere,
    ])
      expect(ledger.notedIn(`x ${forged} y`)).toEqual([]);
    expect(ledger.notedIn(`[clawai blk_${note}`)).toMatchObject([{ start: 12 }]);
  });
});

describe('what is kept', () => {
  it('is so many calls, those that were of use last', () => {
    const ledger = createLedger();
    const first = ledger.note(tellable(call('first')), 'No.');
    const second = ledger.note(tellable(call('second')), 'No.');
    for (let at = 2; at < 4096; at++) ledger.note(tellable(call(String(at))), 'No.');
    expect(ledger.notedIn(first)).toHaveLength(1);
    ledger.note(tellable(call('one more')), 'No.');
    expect(ledger.notedIn(first)).toHaveLength(1);
    expect(ledger.notedIn(second)).toEqual([]);
  });

  it('is so much in all', () => {
    const ledger = createLedger();
    const big = (at: number) => tellable(call(String(at), `,"b":"${'x'.repeat(900_000)}"`), { answer: `msg_${at}` });
    for (let at = 0; at < 40; at++) ledger.note(big(at), 'No.');
    const kept = Array.from({ length: 40 }, (_, at) => ledger.ofAnswer(`msg_${at}`).length);
    expect(kept.filter((count) => count > 0)).toHaveLength(18);
    expect(kept.slice(-18)).not.toContain(0);
  });

  it('is nothing of the answers that the calls were part of', () => {
    setFlagsFromString('--expose-gc');
    const collect = runInNewContext('gc') as () => void;
    const ledger = createLedger();
    collect();
    const before = process.memoryUsage().heapUsed;
    for (let at = 0; at < 20; at++) {
      const answer = `call_${at}_of_an_answer ${'x'.repeat(1 << 20)}`;
      const [id, name] = [answer.slice(0, 20), answer.slice(1, 20)];
      ledger.note(tellable(A, { id, name, answer: answer.slice(0, 21) }), 'No.');
    }
    collect();
    expect(process.memoryUsage().heapUsed - before).toBeLessThan(10 << 20);
    expect(ledger.isEmpty).toBe(false);
  });

  it('is there for seven days since it was of use', () => {
    let now = 0;
    const ledger = new DeniedLedger({ key: Buffer.from('k'), now: () => now, isDenied: () => false });
    const note = ledger.note(tellable(A, { answer: 'msg_1' }), 'No.');
    for (const day of [6, 12]) {
      now = day * DAY;
      expect(ledger.notedIn(note)).toHaveLength(1);
    }
    now = 19 * DAY;
    expect(ledger.ofAnswer('msg_1')).toEqual([]);
    expect(ledger.isEmpty).toBe(true);
  });
});
