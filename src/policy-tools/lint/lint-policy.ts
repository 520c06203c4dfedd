import { createLocator } from '../../core/policy/locate.ts';
import type { Policy } from '../../core/policy/tables.ts';
import { readTomlLayout, type TextPlace } from '../../core/policy/toml-layout.ts';
import type { PolicyPath } from '../../core/policy/types.ts';
import { refillSteps } from '../relation/glob-language.ts';
import { createCoverSearch } from './cover-search.ts';
import type { KnownTool, LintFinding, LintRule, LintSeverity, LintSubject } from './finding.ts';
import { type Ignore, readIgnores, ruleExtents } from './ignores.ts';
import { dottedArgument, unknownMethod, unknownName } from './rules/unknown-names.ts';
import { folderItself, folderSlash, openEndedPath, shallowPath, slashlessStar } from './rules/folders.ts';
import { contradictoryRule, impossibleRule, uselessException } from './rules/impossible-rules.ts';
import { bareFileName, homeOfOther, pathOnlyAllow, variableInPath } from './rules/paths.ts';
import { foreignGlob, listInText, outerSpace, regexInGlob, unanchoredRegex } from './rules/pattern-syntax.ts';
import { nobodyAsked, undescribedPrompt, unheardMessage } from './rules/prompts.ts';
import { redundantRule, repeatedPattern } from './rules/redundant-rules.ts';
import { deniedServer, oddServerName, serverList } from './rules/server-names.ts';
import { partlyShadowed, shadowedRule } from './rules/shadowed-rules.ts';
import { clientToolName, nativeTool } from './rules/tool-names.ts';
import { httpsOnly, openEndedHost } from './rules/urls.ts';
import { inactiveGuard, suppressesEverything } from './rules/inactive-guards.ts';

/** A finding with its place. */
export interface Lint extends TextPlace {
  readonly id: string;
  readonly severity: LintSeverity;
  readonly message: string;
  readonly hint?: string;
  readonly related: readonly (TextPlace & { readonly message: string })[];
  /** A removal that changes no decision; offsets into the text behind its BOM. */
  readonly fix?: LintFix;
}

interface LintFix {
  readonly start: number;
  readonly end: number;
  /** The removed part, for people: `rule 3`. */
  readonly what: string;
  /** The index of the removed rule. */
  readonly rule?: number;
}

export interface LintReport {
  /** The findings in the order of the text. */
  readonly lints: readonly Lint[];
  /** The findings that are ignored, with the reasons. */
  readonly ignored: readonly (Lint & { readonly reason: string })[];
}

const UNUSED_IGNORE = 'unused-ignore';
const UNREASONED_IGNORE = 'unreasoned-ignore';

/** Lint rules about the ignoring comments themselves. They can't be ignored. */
export const IGNORE_LINTS: readonly Pick<LintRule, 'id' | 'severity' | 'summary'>[] = [
  { id: UNUSED_IGNORE, severity: 'warning', summary: 'A lint-ignore ignores nothing.' },
  { id: UNREASONED_IGNORE, severity: 'warning', summary: 'A lint-ignore does not say why.' },
];

/** Looks for what a valid policy says in vain or otherwise than meant. Pure; decides nothing. */
export function lintPolicy(policy: Policy, isProject = false, known?: readonly KnownTool[]): LintReport {
  refillSteps();
  const body = policy.text.replace(/^\uFEFF/, '');
  const layout = readTomlLayout(body);
  const { nearest: locate } = createLocator(layout);
  const keys = new Map<string, Set<string>>();
  for (const { path } of layout.places) {
    const last = path.at(-1);
    if (typeof last !== 'string') continue;
    const table = JSON.stringify(path.slice(0, -1));
    keys.set(table, (keys.get(table) ?? new Set()).add(last));
  }
  const keysOf = (path: PolicyPath): readonly string[] => [...(keys.get(JSON.stringify(path)) ?? [])];
  const has = (path: PolicyPath): boolean => keysOf(path.slice(0, -1)).includes(String(path.at(-1)));
  const subject: LintSubject = { policy, isProject, covers: createCoverSearch(policy.rules), known, has, keysOf };
  const extents = ruleExtents(body, layout);
  const toLint = ({ id, severity }: LintRule, finding: LintFinding): Lint => {
    const extent = extents.find(({ index }) => index === finding.removesRule);
    const { hint, related = [] } = finding;
    return {
      id,
      severity: finding.severity ?? severity,
      ...locate(finding.path),
      message: finding.message,
      ...(hint === undefined ? {} : { hint }),
      related: related.map(({ path, message }) => ({ ...locate(path), message })),
      ...(extent === undefined
        ? {}
        : { fix: { start: extent.start, end: extent.end, what: `rule ${extent.index + 1}`, rule: extent.index } }),
    };
  };
  const ignores = readIgnores(body, layout, extents);
  const used = new Map<Ignore, Set<string>>();
  const lints: Lint[] = [];
  const ignored: (Lint & { reason: string })[] = [];
  for (const rule of LINT_RULES) {
    for (const finding of rule.find(subject)) {
      const lint = toLint(rule, finding);
      const index = finding.path[0] === 'rule' ? finding.path[1] : undefined;
      const ignore = ignores.find(
        ({ ids, reason, about, rule: within }) =>
          reason !== '' && ids.includes(rule.id) && (about === lint.line || (within !== undefined && within === index)),
      );
      if (ignore === undefined) lints.push(lint);
      else {
        ignored.push({ ...lint, reason: ignore.reason });
        used.set(ignore, (used.get(ignore) ?? new Set()).add(rule.id));
      }
    }
  }
  // Unknown names are looked for only if some are known, so a comment about them may have its use.
  const unasked = known === undefined ? [unknownName.id] : [];
  lints.push(...ignores.flatMap((ignore) => lintIgnore(ignore, new Set([...(used.get(ignore) ?? []), ...unasked]))));
  return { lints: lints.toSorted(byPlace), ignored: ignored.toSorted(byPlace) };
}

function byPlace(a: Lint, b: Lint): number {
  return a.line - b.line || a.column - b.column;
}

function lintIgnore(ignore: Ignore, used: ReadonlySet<string>): Lint[] {
  const { ids, reason, line, column, start, end } = ignore;
  const place = { line, column, severity: 'warning', related: [] } as const;
  if (reason === '' || ids.length === 0) {
    const message =
      ids.length === 0 ? 'this lint-ignore names nothing to ignore' : 'this lint-ignore does not say why, and does not count';
    return [{ ...place, id: UNREASONED_IGNORE, message, hint: 'write it as: # lint-ignore shadowed-rule: why it is right here' }];
  }
  const unused = ids.filter((id) => !used.has(id));
  if (unused.length === 0) return [];
  const unknown = unused.filter((id) => !LINT_RULES.some((rule) => rule.id === id));
  const message =
    unknown.length === 0 ? `nothing here is ${unused.join(' or ')}` : `there is no lint rule ${unknown.join(' or ')}`;
  return [
    {
      ...place,
      id: UNUSED_IGNORE,
      message,
      hint: unused.length === ids.length ? 'remove it' : `remove ${unused.join(', ')} from it`,
      ...(unused.length === ids.length ? { fix: { start, end, what: 'a comment that ignores nothing' } } : {}),
    },
  ];
}

/** Everything that is looked for. */
export const LINT_RULES: readonly LintRule[] = [
  shadowedRule,
  partlyShadowed,
  contradictoryRule,
  impossibleRule,
  uselessException,
  redundantRule,
  pathOnlyAllow,
  openEndedPath,
  openEndedHost,
  unanchoredRegex,
  shallowPath,
  slashlessStar,
  folderSlash,
  folderItself,
  bareFileName,
  variableInPath,
  httpsOnly,
  outerSpace,
  homeOfOther,
  regexInGlob,
  foreignGlob,
  listInText,
  clientToolName,
  nativeTool,
  oddServerName,
  unknownMethod,
  unknownName,
  dottedArgument,
  repeatedPattern,
  deniedServer,
  serverList,
  nobodyAsked,
  inactiveGuard,
  suppressesEverything,
  undescribedPrompt,
  unheardMessage,
];
