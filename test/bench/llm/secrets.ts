import { TEXTS } from '../../../src/gate/model/secrets/load-search.ts';
import { anthropicApi } from '../../../src/protocol/llm/anthropic/api.ts';
import type { StreamOptions } from '../../../src/protocol/llm/dialect.ts';
import { SseSplitter } from '../../../src/protocol/sse/splitter.ts';
import { stream } from '../../support/anthropic-events.ts';
import { restoring, SECRET, searching } from '../../support/searching.ts';
import { atLeast, atMost, type Row } from '../row.ts';
import { median } from '../statistics.ts';
import { historyOf, KINDS } from './repair.ts';

const ROUNDS = 30;

/** How long it takes to find the secrets of a request, and to restore the tokens of an answer. */
export async function measureSecrets(): Promise<Row[]> {
  const rows: Row[] = [];
  for (const kind of ['words', 'code'] as const) {
    const known = await measureRequest(historyWith(KINDS[kind]), 'known');
    rows.push(
      atMost(1.3, {
        name: `secrets in a request with 1 MB of ${kind} that is known`,
        unit: '× parse and stringify',
        value: known,
      }),
    );
    const fresh = await measureRequest(historyWith(KINDS[kind]), 'fresh');
    rows.push(atMost(10, { name: `secrets in a request with 1 MB of new ${kind}`, unit: '× parse and stringify', value: fresh }));
  }
  return [...rows, await measureStream()];
}

/** A conversation in which no text comes twice. */
function historyWith(output: string): string {
  let count = 0;
  return historyOf([], output).replaceAll('"content":"', () => `"content":"${count++} `);
}

/** @returns the time over that of parsing the request and writing it anew */
async function measureRequest(text: string, what: 'known' | 'fresh'): Promise<number> {
  const texts = TEXTS[anthropicApi.texts];
  let search = searching();
  const times: number[] = [];
  const others: number[] = [];
  for (let round = 0; round < ROUNDS; round++) {
    const body = Buffer.from(text).toString('utf8');
    if (what === 'fresh') search = searching();
    else if (round === 0) search.requests.edit(body, texts, 'body');
    let started = performance.now();
    search.requests.edit(body, texts, 'body');
    times.push(performance.now() - started);
    started = performance.now();
    JSON.stringify(JSON.parse(Buffer.from(text).toString('utf8')));
    others.push(performance.now() - started);
  }
  return median(times) / median(others);
}

/** Events of a stream in a second, of which every tenth has a token. */
async function measureStream(): Promise<Row> {
  const search = searching();
  const token = search.tokens.tokenOf('github_token', SECRET);
  search.tokens.learn(token, { kind: 'github_token', value: SECRET });
  const secrets = await restoring(search, anthropicApi);
  const deltas = Array.from({ length: 40_000 }, (_, at) => ({
    type: 'text_delta',
    text: at % 10 === 0 ? ` ${token} ` : ` word ${at}`,
  }));
  const bytes = Buffer.from(stream([{ start: { type: 'text', text: '' }, deltas }], 'end_turn'));
  const rates = Array.from({ length: 7 }, () => {
    const started = performance.now();
    const events = secrets.createStream(OPTIONS);
    new SseSplitter({ maxFrame: 1 << 20 }).push(bytes, (event) => events.push(event));
    events.end();
    return deltas.length / (performance.now() - started);
  });
  return atLeast(100, {
    name: 'events of an answer whose tokens are restored, without the way there',
    unit: 'k/s',
    value: median(rates),
  });
}

const OPTIONS: StreamOptions = {
  output: { pass: () => {}, own: () => {}, text: () => {}, parts: () => {}, ask: () => {}, fault: () => {} },
  nameVerdict: () => 'allow',
  maxHeld: 1 << 20,
};
