import { formatJunitReport } from './junit.ts';
import { formatJsonReport } from './json.ts';
import { formatGithubReport, formatSarifReport } from './annotate-report.ts';
import type { Reporter } from './describe-result.ts';
import { formatTapReport } from './tap.ts';
import { formatTextReport } from './text.ts';

/** Every reporter by its name on the command line. A new format is one file in this folder and one line here. */
export const REPORTERS = {
  text: formatTextReport,
  json: formatJsonReport,
  junit: formatJunitReport,
  tap: formatTapReport,
  github: formatGithubReport,
  sarif: formatSarifReport,
} as const satisfies Record<string, Reporter>;

export type ReporterName = keyof typeof REPORTERS;

/** Their names, as `--reporter` takes them. */
export const REPORTER_NAMES = Object.keys(REPORTERS) as readonly ReporterName[];
