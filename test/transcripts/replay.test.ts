import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { type Cut, replay, toRuns } from '../support/replay.ts';
import { STRIDE } from '../support/runs.ts';
import { parseTranscript, readTranscript, type Scene } from '../support/transcript.ts';

const FOLDER = import.meta.dirname;
const files = readdirSync(FOLDER).filter((name) => name.endsWith('.txt'));

/** Runs up to this length are cut at every byte; longer ones, which are mostly one character repeated, at both ends and some places between. */
const MOST_CUTS = 3000;
const SAMPLED_CUTS = 600;

/** The n-th cut of each run into two; undefined when all runs have had all theirs. */
function nthCut(scene: Scene, n: number): Cut | undefined {
  const longest = Math.max(...toRuns(scene.steps).map((run) => run.reduce((sum, { bytes }) => sum + bytes.length, 0)));
  if (n >= (longest > MOST_CUTS ? SAMPLED_CUTS : longest)) return undefined;
  return (length) => [length <= MOST_CUTS ? n % length : sampledCut(length, n)];
}

function sampledCut(length: number, n: number): number {
  const third = SAMPLED_CUTS / 3;
  if (n < third) return n;
  if (n < 2 * third) return length - 1 - (n - third);
  return Math.floor((length * (n - 2 * third)) / third);
}

/** Longest run that is sent byte by byte; longer ones by so many chunks. */
const MOST_BYTES = 20_000;

function everyByte(length: number): readonly number[] {
  const step = Math.ceil(length / MOST_BYTES);
  return Array.from({ length: Math.floor(length / step) }, (_, i) => i * step);
}

describe.each(files)('%s', (file) => {
  it.each(readTranscript(join(FOLDER, file)).map((scene) => [scene.name, scene] as const))('%s', async (_, scene) => {
    expect(await replay(scene, () => [])).toBeUndefined();
    expect(await replay(scene, everyByte)).toBeUndefined();
    for (let n = 1; ; n += STRIDE) {
      const cut = nthCut(scene, n);
      if (cut === undefined) break;
      expect(await replay(scene, cut), `cut at ${n}`).toBeUndefined();
    }
  });
});

describe('the format', () => {
  const START = 'policy allow-all\n== a\n';

  it.each([
    ['C> {}\nS< forward\n', 'no scene'],
    ['== a\n', 'no policy yet'],
    ['policy allow-all\n', 'no scenes'],
    ['policy mild\n', 'no such policy'],
    [`${START}X> {}\n`, 'not a line'],
    [`${START}C>{}\n`, 'not a line'],
    [`${START}| action\n`, 'not a line'],
    [`${START}C> {}\nC> {}\nS< drop\n`, 'what becomes of this'],
    [`${START}C> {}\n`, 'what becomes of this'],
    [`${START}C> {}\nC< forward\n`, 'for the other side'],
    [`${START}C> {}\nC< drop\n`, 'for the other side'],
    [`${START}C> {}\nS< drop\nS< forward\n`, 'was dropped'],
    [`${START}C> {}\nS< forward\nS< drop\n`, 'stands alone'],
    [`${START}C< {}\n`, 'nothing was sent'],
    [`${START}C> {}\nS< {\n`, 'JSON'],
  ])('is strict: %j', (text, why) => {
    expect(() => parseTranscript(text, 'x')).toThrow(why);
  });

  const PING = '{"jsonrpc":"2.0","id":1,"method":"ping"}';

  it.each([
    `C> ${PING}\nS< drop\n`,
    `C> ${PING}\nC< {"*":"*"}\n`,
    `C> ${PING}\nS< forward\nC< {"*":"*"}\n`,
    `C> ${PING}\nS< {"jsonrpc":"2.0","id":2,"method":"ping"}\n`,
    'C> prose\nS< forward\n',
    'C> prose\nS< drop\n',
    'C> prose\nC< {"jsonrpc":"2.0","id":0,"error":"*"}\n',
    'C> prose\nC< {"id":null}\n',
  ])('can fail: %j', async (text) => {
    const [scene] = parseTranscript(`${START}${text}`, 'x');
    expect(await replay(scene as Scene, () => [])).toContain('x: a');
  });

  it('has wildcards', async () => {
    const [scene] = parseTranscript(
      `${START}C> prose\nC< {"id":null,"error":{"message":"*refused*","*":"*"},"jsonrpc":"*"}\n`,
      'x',
    );
    expect(await replay(scene as Scene, () => [])).toBeUndefined();
  });

  it('does without the stars of JSON and keeps its escapes', () => {
    const [scene] = parseTranscript(`${START}C> \\*3([)\\x0d\\u0041\\n\\x5cx\nS< drop\n`, 'x');
    expect(scene?.steps[0]?.bytes.toString()).toBe('[[[\r\\u0041\\n\\x\n');
  });
});
