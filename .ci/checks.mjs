// Everything a contributor's change must pass, in one command. A failing check does not hide the ones behind it.
//   node .ci/checks.mjs            all of them, and the tests that are not tagged `long`; properties are tried a tenth as often
//   node .ci/checks.mjs --all      with all tests
//   node .ci/checks.mjs --static   without the tests
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { delimiter, join, resolve } from 'node:path';

const ROOT = resolve(import.meta.dirname, '..');
const REPORTS = join(ROOT, 'node_modules', '.cache', 'clawai');
const TEST_REPORT = join(REPORTS, 'tests.json');
const TOTALS = join(REPORTS, 'totals.json');

const { scripts } = JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8'));
const STATIC_CHECKS = Object.keys(scripts).filter((name) => name.startsWith('check:'));

/** Runs one of package.json's scripts; true when it succeeded. Its output is shown as it comes, or only on failure. */
async function run(name, { quiet, args = [], env = {} }) {
  const started = performance.now();
  const child = spawn([scripts[name], ...args].join(' '), {
    cwd: ROOT,
    shell: true,
    env: { ...env, ...process.env, PATH: [join(ROOT, 'node_modules', '.bin'), process.env.PATH].join(delimiter) },
    stdio: ['ignore', quiet ? 'pipe' : 'inherit', quiet ? 'pipe' : 'inherit'],
  });
  const output = [];
  for (const stream of [child.stdout, child.stderr]) stream?.on('data', (chunk) => output.push(chunk));
  const [status] = await once(child, 'close');
  const ok = status === 0;
  if (quiet && !ok) console.log(Buffer.concat(output).toString());
  console.log(`${ok ? 'ok    ' : 'FAILED'} ${name} (${Math.round(performance.now() - started)} ms)`);
  return ok;
}

/** Counts from the test runner's own report. A file that did not load, and a run that failed otherwise, count as one failure. */
function countTests(succeeded) {
  let report;
  try {
    report = JSON.parse(readFileSync(TEST_REPORT, 'utf8'));
  } catch {
    return { passed: 0, failed: 1 }; // the runner ended before it could write one
  }
  const isFailed = ({ status }) => status === 'failed';
  const unloaded = report.testResults.filter((file) => isFailed(file) && !file.assertionResults.some(isFailed));
  const failed = report.numFailedTests + unloaded.length;
  return { passed: report.numPassedTests, failed: failed === 0 && !succeeded ? 1 : failed };
}

rmSync(REPORTS, { recursive: true, force: true });
mkdirSync(REPORTS, { recursive: true });

const withTests = !process.argv.includes('--static');
const built = await run('build', { quiet: true });
// Side by side: the check of types takes as long as the others together, and leaves a core free for much of it.
const checked = await Promise.all(STATIC_CHECKS.map((check) => run(check, { quiet: true })));
const failedChecks = [built, ...checked].filter((ok) => !ok).length;
let totals = { passed: 0, failed: failedChecks };
if (withTests) {
  const reporters = ['minimal', './.ci/progress.mjs', 'json'].map((name) => `--reporter=${name}`);
  const args = [...reporters, `"--outputFile.json=${TEST_REPORT}"`];
  const selection = process.argv.includes('--all') ? {} : { args: [...args, '"--tags-filter=!long"'], env: { TEST_RUNS: '0.1' } };
  const tests = countTests(await run('test:unit', { quiet: false, args, ...selection }));
  totals = { passed: tests.passed, failed: tests.failed + failedChecks };
  writeFileSync(TOTALS, `${JSON.stringify(totals)}\n`);
  console.log(`${totals.passed} passed, ${totals.failed} failed`);
}
if (totals.failed > 0 || (withTests && totals.passed === 0)) process.exitCode = 1;
