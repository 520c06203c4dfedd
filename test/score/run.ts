// How much of a labelled corpus is found, and how much is found that should not be, in one table.
//   node test/score/run.ts flow <corpus folder>
//   node test/score/run.ts detect <corpus folder>
//   node test/score/run.ts kinds <corpus folder>
//   node test/score/run.ts secrets <corpus folder>
// The corpus is gzipped JSON Lines: each *.jsonl.gz in the folder, one row a line. What stands in it is matched, never followed.
// And what becomes of recorded streams of models, in folders that are named after their dialects:
//   node test/score/run.ts streams <folder>
// And which calls a result steers, in complete traces of agents; see `read-traces.ts` for their forms.
//   node test/score/run.ts traces <folder>
import { formatDetectScore, scoreDetect } from './detect.ts';
import { formatFlowScore, scoreFlow } from './flow.ts';
import { readCorpus } from './corpus.ts';
import { formatKindsScore, scoreKinds } from './kinds.ts';
import { formatSecretsScore, scoreSecrets } from './secrets.ts';
import { formatStreamScores, scoreStreams } from './streams.ts';
import { formatTraceScore, scoreTraces } from './traces.ts';

const SCORES: Readonly<Record<string, (folder: string) => string>> = {
  detect: (folder) => formatDetectScore(scoreDetect(readCorpus(folder))),
  flow: (folder) => formatFlowScore(scoreFlow(readCorpus(folder))),
  kinds: (folder) => formatKindsScore(scoreKinds(readCorpus(folder))),
  secrets: (folder) => formatSecretsScore(scoreSecrets(readCorpus(folder))),
  streams: (folder) => formatStreamScores(scoreStreams(folder)),
  traces: (folder) => formatTraceScore(scoreTraces(folder)),
};

const [name = '', folder, ...others] = process.argv.slice(2);

if (!Object.hasOwn(SCORES, name) || folder === undefined || others.length > 0) {
  process.stderr.write(`usage: node test/score/run.ts ${Object.keys(SCORES).join('|')} <corpus folder>\n`);
  process.exitCode = 2;
} else {
  try {
    process.stdout.write(`${SCORES[name]?.(folder)}\n`);
  } catch (error) {
    // What is missing or damaged is said in a line; it is no bug of ours.
    process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n`);
    process.exitCode = 1;
  }
}
