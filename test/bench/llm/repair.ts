import { DeniedLedger } from '../../../src/gate/model/denied-ledger.ts';
import { anthropicApi } from '../../../src/protocol/llm/anthropic/api.ts';
import type { ModelCall } from '../../../src/protocol/llm/dialect.ts';
import type { AnswerRequest } from '../../../src/protocol/llm/model-api.ts';
import { repairRequest } from '../../../src/transport/llm/llm-request.ts';
import { atMost, type Row } from '../row.ts';
import { median } from '../statistics.ts';

/** Characters of a history, and how many calls of it were denied. */
const SIZE = 1024 * 1024;
const DENIED = 20;
const ROUNDS = 50;

/** Of what a request is read for, nothing matters here. */
const ASKED: AnswerRequest = { tools: [], mcpServers: [], results: [], previousAnswer: undefined };

export const KINDS = {
  words: 'The build is green, says the log. '.repeat(80),
  code: 'const a = {"b": [1, "x"]};\n'.repeat(100),
  // What a history has least of, and what takes longest to find the way in.
  numbers: Array.from({ length: 600 }, (_, at) => [at, { n: at % 7 }]),
};

/** How long a request waits for its denied calls to be put in again, and one that has none. */
export function measureRepair(): Row[] {
  const ledger = new DeniedLedger({ key: Buffer.from('bench'), now: Date.now, isDenied: () => false });
  const notes = Array.from({ length: DENIED }, (_, at) => ledger.note(callOf(at), 'It was denied, as a rule says. '.repeat(5)));
  const repaired = (kind: keyof typeof KINDS): Omit<Row, 'budget' | 'ok'> => ({
    name: `a request with 1 MB of ${kind} and ${DENIED} denied calls is repaired`,
    unit: 'ms',
    value: timeOf(historyOf(notes, KINDS[kind]), ledger),
  });
  const numbers = repaired('numbers');
  const untouched = timeOf(historyOf([], KINDS.words), ledger);
  return [
    atMost(5, repaired('words')),
    atMost(5, repaired('code')),
    { ...numbers, name: `reference: ${numbers.name}` },
    atMost(1, { name: 'a request with 1 MB and no denied call is left alone', unit: 'ms', value: untouched }),
  ];
}

/** Milliseconds. */
function timeOf(text: string, denied: DeniedLedger): number {
  const times: number[] = [];
  for (let round = 0; round < ROUNDS; round++) {
    // A text that nobody has read yet, as each request is.
    const fresh = Buffer.from(text).toString('utf8');
    const started = performance.now();
    const repaired = repairRequest(fresh, { api: anthropicApi, denied, asked: ASKED, place: 'body' });
    if (repaired !== fresh) Buffer.from(repaired);
    times.push(performance.now() - started);
  }
  return median(times);
}

function callOf(at: number): ModelCall {
  const text = JSON.stringify({ type: 'tool_use', id: `toolu_${at}`, name: 'Bash', input: { command: 'x'.repeat(400) } });
  const read = { group: undefined, args: '{}', problem: undefined, runBy: 'client', server: undefined } as const;
  return { id: `toolu_${at}`, name: 'Bash', ...read, answer: `msg_${at}`, inHistory: () => text };
}

/** A conversation of an agent: calls, and what they came to. */
export function historyOf(notes: readonly string[], output: unknown): string {
  const messages: object[] = [];
  const turns = Math.ceil(SIZE / (JSON.stringify(output).length + 400));
  const every = Math.floor(turns / DENIED);
  for (let at = 0; at < turns; at++) {
    const id = `toolu_a${at}`;
    const note = at % every === 0 ? notes[at / every] : undefined;
    const said = note === undefined ? [] : [{ type: 'text', text: note }];
    const input = typeof output === 'string' ? { command: 'ls -l', description: 'Lists files' } : { rows: output };
    const call = { type: 'tool_use', id, name: 'Bash', input };
    messages.push({ role: 'assistant', content: [{ type: 'text', text: 'I look.' }, ...said, call] });
    messages.push({
      role: 'user',
      content: [{ type: 'tool_result', tool_use_id: id, content: typeof output === 'string' ? output : 'ok' }],
    });
  }
  return JSON.stringify({ model: 'bench', max_tokens: 4096, messages });
}
