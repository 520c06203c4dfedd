import { measureDelays, measureHeldCalls } from './llm/delays.ts';
import { measureEvents } from './llm/events.ts';
import { measureGeminiCalls, measureGeminiEvents } from './llm/gemini.ts';
import { measureBigCall, measureOpenAnswers } from './llm/memory.ts';
import { measureRepair } from './llm/repair.ts';
import { LlmStage } from './llm/stage.ts';
import { measureWholeAnswers } from './llm/whole.ts';
import type { Row } from './row.ts';

/**
 * Measures `clawai serve` before a model's API, against a bare TCP pipe, a pass-through of Node's own parts, a library for proxies, and
 * itself when it looks at nothing. Placed as in the bench of remote servers. Takes about two minutes.
 */
export async function llmBench(): Promise<Row[]> {
  const stage = new LlmStage();
  try {
    await stage.start();
    const rows: Row[] = [];
    for (const measure of [
      measureOpenAnswers,
      measureBigCall,
      measureEvents,
      measureDelays,
      measureHeldCalls,
      measureWholeAnswers,
      measureGeminiEvents,
      measureGeminiCalls,
    ])
      rows.push(...(await measure(stage)));
    rows.push(...measureRepair());
    return rows;
  } finally {
    await stage.end();
  }
}
