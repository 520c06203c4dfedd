// Looks for what the seeded runs in CI do not find: other conversations and other texts, for as long as it is told.
//   npm run fuzz -- [--minutes 10] [--seed N]
// Prints the seed of each round that found something, and the smallest conversation that shows it. Exit code 1 then.
import { parseArgs } from 'node:util';
import fc from 'fast-check';
import { checkJson, JSON_TEXT } from './json-model.ts';
import { CONVERSATION, show } from './wire-messages.ts';
import { play } from './wire-model.ts';

const { values } = parseArgs({ options: { minutes: { type: 'string', default: '10' }, seed: { type: 'string' } } });
const first = Number(values.seed ?? Date.now() % 0x7fffffff);
const until = performance.now() + Number(values.minutes) * 60_000;
const ROUND = { conversations: 2000, texts: 10_000 };

/** Runs one round of each kind; the texts of what was found. */
async function findings(seed: number): Promise<string[]> {
  const conversations = await fc.check(fc.asyncProperty(CONVERSATION, play), { seed, numRuns: ROUND.conversations });
  const texts = fc.check(fc.property(JSON_TEXT, checkJson), { seed, numRuns: ROUND.texts });
  const found: string[] = [];
  if (conversations.counterexample !== null)
    found.push(`${show(conversations.counterexample[0])}\n${String(conversations.errorInstance)}`);
  if (texts.counterexample !== null) {
    found.push(`${JSON.stringify(texts.counterexample[0].toString('latin1'))}\n${String(texts.errorInstance)}`);
  }
  return found;
}

const seen = new Set<string>();
let rounds = 0;
console.log(`seed ${first}, ${values.minutes} minutes`);
for (let seed = first; performance.now() < until; seed++) {
  rounds++;
  for (const finding of await findings(seed)) {
    seen.add(finding);
    console.log(`\nseed ${seed}:\n${finding}`);
  }
}
console.log(`${rounds * ROUND.conversations} conversations, ${rounds * ROUND.texts} texts, ${seen.size} findings`);
if (seen.size > 0) process.exitCode = 1;
