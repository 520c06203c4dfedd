import { isAbsolute } from 'node:path';
import { pathToFileURL } from 'node:url';
import type { Fault } from '../../../../errors.ts';
import { VERSION } from '../../../machine/version.ts';
import type { TestReport } from '../test-report.ts';
import {
  coveragePercent,
  isCovered,
  missedRules,
  describeMismatch,
  lineOfMismatch,
  mismatchLine,
  nameOf,
  isMutationEnough,
  mutationLine,
  survivorLine,
  survivorsOf,
  type ReportContext,
} from './describe-result.ts';

const MISMATCH = 'policy-test/mismatch';
const NOT_HIT = 'policy-test/rule-not-hit';

const NOT_NOTICED = 'policy-test/mutant-not-noticed';

const NOT_TESTED = 'policy-test/not-tested';

const RULES = [
  { id: MISMATCH, shortDescription: { text: 'The policy does not decide as a fixture expects' } },
  { id: NOT_HIT, shortDescription: { text: 'No fixture is decided by a rule' } },
  { id: NOT_NOTICED, shortDescription: { text: 'The policy could be another one, and no fixture would notice' } },
  { id: NOT_TESTED, shortDescription: { text: 'The policy or a fixture cannot be read, so nothing was tested' } },
] as const;

/**
 * SARIF 2.1.0 (OASIS): a result per mismatch at the rule that decided, and, where coverage is asked for, per rule that no fixture hits, and
 * per mutant that none notices. */
export function formatSarifReport(report: TestReport, context: ReportContext): string {
  if (report.errors.length > 0) return formatSarifLog(RULES, report.errors.map(toResult));
  const mismatches = report.results
    .filter(({ ok }) => !ok)
    .map((result) => ({
      ruleId: MISMATCH,
      level: 'error',
      message: { text: `${nameOf(result)}: ${mismatchLine(describeMismatch(result, context))}` },
      locations: [sarifLocation(context.policy, lineOfMismatch(result, context))],
      relatedLocations: [{ ...sarifLocation(result.fixture.file, undefined), message: { text: 'the fixture' } }],
    }));
  return formatSarifLog(RULES, [...mismatches, ...notHit(report, context), ...notNoticed(report, context)]);
}

function toResult({ place: { file, line, column }, message, hint }: Fault): object {
  return {
    ruleId: NOT_TESTED,
    level: 'error',
    message: { text: hint === undefined ? message : `${message}; ${hint}` },
    locations: [sarifLocation(file, line, column)],
  };
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
    locations: [sarifLocation(context.policy, line)],
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
    locations: [sarifLocation(context.policy, survivor.line)],
  }));
}

/** What SARIF calls a rule: a kind of result. */
interface SarifRule {
  readonly id: string;
  readonly shortDescription: { readonly text: string };
}

/** A log of SARIF 2.1.0 (OASIS) with one run of clawai, as text. */
export function formatSarifLog(rules: readonly SarifRule[], results: readonly object[]): string {
  const run = { tool: { driver: { name: 'clawai', version: VERSION, rules } }, results };
  const log = { $schema: 'https://json.schemastore.org/sarif-2.1.0.json', version: '2.1.0', runs: [run] };
  return `${JSON.stringify(log, null, 2)}\n`;
}

/** Where a result is; lines and columns from 1. */
export function sarifLocation(file: string, line: number | undefined, column?: number): { readonly physicalLocation: object } {
  // Relative ones are relative to where it runs, which is the root of the repository in CI.
  const uri = isAbsolute(file)
    ? pathToFileURL(file).href
    : file.replaceAll('\\', '/').split('/').map(encodeURIComponent).join('/');
  const region = line === undefined ? undefined : { startLine: line, ...(column !== undefined && { startColumn: column }) };
  return { physicalLocation: { artifactLocation: { uri }, ...(region !== undefined && { region }) } };
}
