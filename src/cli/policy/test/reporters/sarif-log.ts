import { isAbsolute } from 'node:path';
import { pathToFileURL } from 'node:url';
import { VERSION } from '../../../machine/version.ts';

/** What SARIF calls a rule: a kind of result. */
export interface SarifRule {
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
