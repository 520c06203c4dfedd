import { setImmediate } from 'node:timers/promises';
import { describe, expect, it, onTestFinished, vi } from 'vitest';
import type { Judgement } from '../../src/gate/fail-closed.ts';
import { BUSY, DROP, FORWARD, type Verdict } from '../../src/gate/verdict.ts';
import { Rounds, type RoundGate } from '../../src/gate/rounds.ts';

const DENIED: Verdict = { kind: 'reply', line: '{}\n' };
const OTHERWISE: Verdict = { kind: 'reply', line: '{"otherwise":true}\n' };

/** Notes in which order things happen. */
class TestGate implements RoundGate {
  readonly #log: string[];
  readonly #name: string;
  isOnRecord = true;

  constructor(name: string, log: string[]) {
    this.#name = name;
    this.#log = log;
  }

  commit(): boolean {
    this.#log.push(`${this.#name} recorded`);
    return this.isOnRecord;
  }

  ready(): Promise<void> {
    this.#log.push(`${this.#name} waits`);
    return Promise.resolve();
  }
}

function recorded(verdict: Verdict = FORWARD): Judgement {
  return { kind: 'recorded', verdict, otherwise: () => OTHERWISE };
}

async function settle(judged: ReturnType<Rounds['judge']>): Promise<Verdict> {
  return judged.kind === 'late' ? judged.verdict : judged;
}

describe('Rounds', () => {
  it.each([FORWARD, DROP, DENIED])('$kind needs no record, and is there at once', (verdict) => {
    expect(new Rounds().judge(new TestGate('a', []), () => verdict)).toBe(verdict);
  });

  it('what has to be on record is so before its verdict is carried out, all of a turn in one go, in the order it came', async () => {
    const log: string[] = [];
    const rounds = new Rounds();
    const [a, b] = [new TestGate('a', log), new TestGate('b', log)];
    const judge = (gate: TestGate, name: string): Promise<unknown> =>
      settle(rounds.judge(gate, () => (log.push(`${name} judged`), recorded()))).then(() => log.push(`${name} goes on`));
    const all = [judge(a, '1'), judge(b, '2'), judge(a, '3')];
    await Promise.resolve();
    expect(log).toEqual(['1 judged', '2 judged', '3 judged']);
    await Promise.all(all);
    expect(log.slice(3)).toEqual(['a recorded', 'b recorded', '1 goes on', '2 goes on', '3 goes on']);
  });

  describe('gathered', () => {
    /** Waits for the end of the turn and is judged, while others may begin to wait. */
    const comes = async (rounds: Rounds, log: string[], name: string, meanwhile?: () => Promise<void>): Promise<void> => {
      await rounds.gathered();
      const judged = rounds.judge(new TestGate('it', log), () => (log.push(`${name} judged`), recorded()));
      const others = meanwhile?.();
      await settle(judged);
      log.push(`${name} goes on`);
      await others;
    };

    it('those of one turn are judged at its end, one right after the other, in their order, and recorded with it', async () => {
      const log: string[] = [];
      const rounds = new Rounds();
      const all = Promise.all([comes(rounds, log, '1'), comes(rounds, log, '2')]);
      await Promise.resolve();
      expect(log).toEqual([]);
      const turn = setImmediate().then(() => log.push('the turn has ended'));
      await Promise.all([all, turn]);
      expect(log.slice(0, 2)).toEqual(['1 judged', '2 judged']);
      expect(log.slice(2)).toEqual(['it recorded', 'it recorded', '1 goes on', '2 goes on', 'the turn has ended']);
    });

    it('who comes when they are judged is judged in the next turn, and recorded by itself where nothing came before', async () => {
      const log: string[] = [];
      const rounds = new Rounds();
      await comes(rounds, log, '1', () => comes(rounds, log, '2'));
      expect(log).toEqual(['1 judged', 'it recorded', '1 goes on', '2 judged', 'it recorded', '2 goes on']);
    });

    it('where much comes, a round waits for those who are judged in its next turn', async () => {
      const now = vi.spyOn(performance, 'now').mockReturnValue(1000);
      onTestFinished(() => now.mockRestore());
      const log: string[] = [];
      const rounds = new Rounds();
      await comes(rounds, [], '0');
      await comes(rounds, log, '1', () => comes(rounds, log, '2'));
      expect(log).toEqual(['1 judged', '2 judged', 'it recorded', 'it recorded', '1 goes on', '2 goes on']);
    });

    it('nobody has to be judged then', async () => {
      const log: string[] = [];
      const rounds = new Rounds();
      await rounds.gathered();
      rounds.judge(new TestGate('it', log), () => DROP);
      await setImmediate();
      expect(log).toEqual(['it recorded']);
    });
  });

  it('only the verdicts of the gate whose record failed become others', async () => {
    const rounds = new Rounds();
    const [a, b] = [new TestGate('a', []), new TestGate('b', [])];
    a.isOnRecord = false;
    const first = rounds.judge(a, () => recorded());
    const second = rounds.judge(b, () => recorded(DENIED));
    expect(await settle(first)).toBe(OTHERWISE);
    expect(await settle(second)).toBe(DENIED);
  });

  it('a gate that recorded nothing ends its round as well, and each turn has one of its own', async () => {
    const log: string[] = [];
    const rounds = new Rounds();
    const gate = new TestGate('a', log);
    rounds.judge(gate, () => FORWARD);
    rounds.judge(gate, () => FORWARD);
    await setImmediate();
    expect(log).toEqual(['a recorded']);
    await setImmediate();
    expect(log).toEqual(['a recorded']);
    rounds.judge(gate, () => FORWARD);
    await setImmediate();
    expect(log).toEqual(['a recorded', 'a recorded']);
  });

  it('a gate that needs no record does not end the transaction of one that waits', async () => {
    const log: string[] = [];
    const rounds = new Rounds();
    const [a, b] = [new TestGate('a', log), new TestGate('b', log)];
    const waits = settle(rounds.judge(a, () => recorded()));
    rounds.judge(b, () => DENIED);
    await new Promise<void>((resolve) => process.nextTick(resolve));
    expect(log).toEqual([]);
    await waits;
    expect(log).toEqual(['a recorded', 'b recorded']);
  });

  it('what was busy is judged again until it is not, and then recorded like any other', async () => {
    const log: string[] = [];
    const gate = new TestGate('a', log);
    const judgements = [BUSY, BUSY, recorded(DENIED)];
    const judged = new Rounds().judge(gate, () => judgements.shift() ?? DROP);
    expect(judged).toMatchObject({ kind: 'late', isParked: false });
    expect(await settle(judged)).toBe(DENIED);
    expect(judgements).toEqual([]);
    expect(log.filter((line) => line === 'a waits')).toHaveLength(2);
    expect(log.at(-1)).toBe('a recorded');
  });

  it('what a person is asked about says so', async () => {
    const judged = new Rounds().judge(new TestGate('a', []), () => Promise.resolve(DENIED));
    expect(judged).toMatchObject({ kind: 'late', isParked: true });
    expect(await settle(judged)).toBe(DENIED);
  });

  it('says so later where the store was taken first, once', async () => {
    const answer = Promise.withResolvers<Verdict>();
    const parked = Promise.withResolvers<void>();
    let times = 0;
    const judgements: Judgement[] = [BUSY, BUSY, answer.promise];
    const onParked = (): void => {
      times++;
      parked.resolve();
    };
    const judged = new Rounds().judge(new TestGate('a', []), () => judgements.shift() ?? DROP, onParked);
    expect(judged).toMatchObject({ isParked: false });
    await parked.promise;
    answer.resolve(DENIED);
    expect(await settle(judged)).toBe(DENIED);
    expect(times).toBe(1);
  });

  it('what is looked up ends its round by itself, also where looking fails', async () => {
    const log: string[] = [];
    const rounds = new Rounds();
    const gate = new TestGate('a', log);
    expect(rounds.lookUp(gate, () => 7)).toBe(7);
    expect(log).toEqual([]);
    await setImmediate();
    expect(log).toEqual(['a recorded']);
    const fail = (): never => {
      throw new Error('no');
    };
    expect(() => rounds.lookUp(gate, fail)).toThrow('no');
    await setImmediate();
    expect(log).toHaveLength(2);
  });
});
