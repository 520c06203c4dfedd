// Looks for what the seeded runs in CI do not find: other conversations, streams and texts, for as long as it is told.
//   npm run fuzz -- [--minutes 10] [--seed N]
// Prints the seed of each round that found something, and the smallest conversation that shows it. Exit code 1 then.
import { parseArgs } from 'node:util';
import fc from 'fast-check';
import { checkDisguised, DISGUISED } from './disguise-model.ts';
import { checkJson, JSON_TEXT } from './json-model.ts';
import { checkLongJson, LONG_JSON } from './long-model.ts';
import { checkPadded, PADDED } from './padded-model.ts';
import { carry, showStream, STREAM } from './relay-model.ts';
import { CONVERSATION, show } from './wire-messages.ts';
import { play } from './wire-model.ts';

const { values } = parseArgs({ options: { minutes: { type: 'string', default: '10' }, seed: { type: 'string' } } });
const first = Number(values.seed ?? Date.now() % 0x7fffffff);
const until = performance.now() + Number(values.minutes) * 60_000;

/** What is tried in each round: so many of a kind. */
const KINDS = [
  kind('conversations', 2000, fc.asyncProperty(CONVERSATION, play), show),
  kind('streams', 200, fc.asyncProperty(STREAM, carry), showStream),
  kind('texts', 10_000, fc.property(JSON_TEXT, checkJson), showBytes),
  kind('long texts', 50, fc.property(LONG_JSON, checkLongJson), showBytes),
  kind('disguised texts', 2000, fc.property(DISGUISED, checkDisguised), (text) => JSON.stringify(text)),
  kind('padded paths', 50, fc.property(PADDED, checkPadded), (padded) => JSON.stringify(padded)),
];

interface Kind {
  readonly name: string;
  readonly runs: number;
  /** Runs one round; the text of what was found. */
  readonly find: (seed: number) => Promise<string | undefined>;
}

function kind<T>(name: string, runs: number, property: fc.IRawProperty<[T]>, showOne: (found: T) => string): Kind {
  const find = async (seed: number): Promise<string | undefined> => {
    const { counterexample, errorInstance } = await fc.check(property, { seed, numRuns: runs });
    return counterexample === null ? undefined : `${showOne(counterexample[0])}\n${String(errorInstance)}`;
  };
  return { name, runs, find };
}

function showBytes(bytes: Buffer): string {
  return JSON.stringify(bytes.toString('latin1').replaceAll(/(.)\1{100,}/g, '$1…'));
}

const seen = new Set<string>();
let rounds = 0;
console.log(`seed ${first}, ${values.minutes} minutes`);
for (let seed = first; performance.now() < until; seed++) {
  rounds++;
  for (const { find } of KINDS) {
    const finding = await find(seed);
    if (finding === undefined) continue;
    seen.add(finding);
    console.log(`\nseed ${seed}:\n${finding}`);
  }
}
const counts = KINDS.map(({ name, runs }) => `${rounds * runs} ${name}`);
console.log(`${counts.join(', ')}: ${seen.size} findings`);
if (seen.size > 0) process.exitCode = 1;
