import { measureDelays, measureHeldCalls } from './llm/delays.ts';
import { measureEvents, measureTokenEvents } from './llm/events.ts';
import { measureGeminiCalls, measureGeminiEvents } from './llm/gemini.ts';
import { measureBigCall, measureOpenAnswers } from './llm/memory.ts';
import { measureRepair } from './llm/repair.ts';
import { measureSecrets } from './llm/secrets.ts';
import { LlmStage } from './llm/stage.ts';
import { measureWholeAnswers } from './llm/whole.ts';
import { CHAT_WIRE, MESSAGES_WIRE, RESPONSES_WIRE, type Wire } from './llm/wires.ts';
import type { Row } from './row.ts';

/** What is measured of each API. */
const MEASURES: readonly (readonly [wire: Wire, measures: readonly ((stage: LlmStage) => Promise<Row[]>)[]])[] = [
  [
    MESSAGES_WIRE,
    [
      measureOpenAnswers,
      measureBigCall,
      measureEvents,
      measureTokenEvents,
      measureDelays,
      measureHeldCalls,
      measureWholeAnswers,
      // The same API speaks both.
      measureGeminiEvents,
      measureGeminiCalls,
    ],
  ],
  [CHAT_WIRE, [measureEvents, measureHeldCalls]],
  [RESPONSES_WIRE, [measureBigCall, measureEvents, measureHeldCalls]],
];

/**
 * Measures `clawai serve` before models' APIs, against a bare TCP pipe, a pass-through of Node's own parts, a library for proxies, and
 * itself when it looks at nothing. Placed as in the bench of remote servers. Takes about three minutes.
 */
export async function llmBench(): Promise<Row[]> {
  const rows: Row[] = [];
  for (const [wire, measures] of MEASURES) {
    const stage = new LlmStage(wire);
    try {
      await stage.start();
      for (const measure of measures) rows.push(...(await measure(stage)));
    } finally {
      await stage.end();
    }
  }
  rows.push(...measureRepair(), ...(await measureSecrets()));
  return rows;
}
