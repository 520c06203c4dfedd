import { isAbsolute } from 'node:path';
import { pathToFileURL } from 'node:url';
import type { TestReport } from '../test-report.ts';
import { VERSION } from '../version.ts';
import { coveragePercent, isCovered, missedRules } from './coverage.ts';
import { describeMismatch, lineOfMismatch, mismatchLine, nameOf } from './describe-result.ts';
import { isMutationEnough, mutationLine, survivorLine, survivorsOf } from './mutation.ts';
import type { ReportContext } from './reporter.ts';

const MISMATCH = 'policy-test/mismatch';
const NOT_HIT = 'policy-test/rule-not-hit';

const NOT_NOTICED = 'policy-test/mutant-not-noticed';

const RULES = [
  { id: MISMATCH, shortDescription: { text: 'The policy does not decide as a fixture expects' } },
  { id: NOT_HIT, shortDescription: { text: 'No fixture is decided by a rule' } },
  { id: NOT_NOTICED, shortDescription: { text: 'The policy could be another one, and no fixture would notice' } },
] as const;

/**
 * SARIF 2.1.0 (OASIS): a result per mismatch at the rule that decided, and, where coverage is asked for, per rule that no fixture hits, and
 * per mutant that none notices. */
export function formatSarifReport(report: TestReport, context: ReportContext): string {
  const mismatches = report.results
    .filter(({ ok }) => !ok)
    .map((result) => ({
      ruleId: MISMATCH,
      level: 'error',
      message: { text: `${nameOf(result)}: ${mismatchLine(describeMismatch(result, context))}` },
      locations: [location(context.policy, lineOfMismatch(result, context))],
      relatedLocations: [{ ...location(result.fixture.file, undefined), message: { text: 'the fixture' } }],
    }));
  const run = {
    tool: { driver: { name: 'clawai', version: VERSION, rules: RULES } },
    results: [...mismatches, ...notHit(report, context), ...notNoticed(report, context)],
  };
  const log = { $schema: 'https://json.schemastore.org/sarif-2.1.0.json', version: '2.1.0', runs: [run] };
  return `${JSON.stringify(log, null, 2)}\n`;
}

function notHit(report: TestReport, context: ReportContext): readonly object[] {
  if (context.minCoverage === undefined) return [];
  const level = isCovered(report, context) ? 'warning' : 'error';
  return missedRules(report, context).map(({ name, line }) => ({
    ruleId: NOT_HIT,
    level,
    message: {
      text: `no fixture hits ${name}: ${coveragePercent(report)} % of the rules are hit, and ${context.minCoverage} % have to be`,
    },
    locations: [location(context.policy, line)],
  }));
}

function notNoticed(report: TestReport, context: ReportContext): readonly object[] {
  const isEnough = isMutationEnough(report, context);
  const level = isEnough ? 'warning' : 'error';
  const counted = isEnough ? '' : `; ${mutationLine(report, context)}`;
  return survivorsOf(report, context).map((survivor) => ({
    ruleId: NOT_NOTICED,
    level,
    message: { text: `${survivorLine(survivor)}${counted}` },
    locations: [location(context.policy, survivor.line)],
  }));
}

function location(file: string, line: number | undefined): { readonly physicalLocation: object } {
  // Relative ones are relative to where it runs, which is the root of the repository in CI.
  const uri = isAbsolute(file)
    ? pathToFileURL(file).href
    : file.replaceAll('\\', '/').split('/').map(encodeURIComponent).join('/');
  return { physicalLocation: { artifactLocation: { uri }, ...(line !== undefined && { region: { startLine: line } }) } };
}
