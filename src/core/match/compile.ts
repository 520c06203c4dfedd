import { createHash } from 'node:crypto';
import { type Call, CATEGORIES } from '../call.ts';
import type { ClassifyOverrides } from '../classify/classify.ts';
import type { Decision, RuleRef } from '../decision.ts';
import { compileGlob } from '../patterns/glob.ts';
import type { Suppression } from '../policy/parse-detection.ts';
import type { ServerPolicy } from '../policy/parse-settings.ts';
import type { ClassifyGlobs, Policy } from '../policy/tables.ts';
import type { ArgStep, Conditions, Matcher, Rule } from '../policy/types.ts';
import { type CompiledMatcher, compileMatcher, coversNative, pathGlobsOf } from './compile-matcher.ts';
import type { CompiledArg, CompiledConditions, CompiledPolicy, CompiledRule } from './compiled-policy.ts';
import { flip, type Mode } from './match-context.ts';
import { createRuleIndex } from './rule-index.ts';

export type { CompiledPolicy } from './compiled-policy.ts';

export interface CompileOptions {
  /** The policy that the project carries, if any. */
  readonly project?: Policy | undefined;
  /** The policy is an empty one that stands for one that is gone. */
  readonly isGone?: boolean;
}

/** Compiles every matcher and builds the index. Done once per policy; nothing here depends on a call. */
export function compilePolicy(policy: Policy, { project, isGone = false }: CompileOptions = {}): CompiledPolicy {
  // Hashed here and not when parsing: a client waits for the parsing, and loading the hash costs more than all of it.
  const own = hashOf(policy.text);
  if (project === undefined) return compileOne(policy, { hash: own, source: undefined, isGone });
  const hash = hashOf(`${own}\n${hashOf(project.text)}`);
  const compiled = compileOne(policy, { hash, source: undefined, isGone });
  const { classify } = compiled;
  const other: CompiledPolicy = { ...compileOne(project, { hash, source: 'project', isGone: false }), classify };
  return {
    ...compiled,
    project: other,
    asksKind: compiled.asksKind || other.asksKind,
    concernsMethod: (method) => compiled.concernsMethod(method) || other.concernsMethod(method),
    mayStop: (call) => compiled.mayStop(call) || other.mayStop(call),
  };
}

/**
 * Compiles policies that differ from a compiled one in little, as mutants do. Rules that are the same objects are taken as they are, and
 * equal argument paths stay one object across all of them, so that what is known of a call's arguments goes on to count. The text, and so
 * the hash, is the first one's.
 */
export function createRecompiler(compiled: CompiledPolicy): (policy: Policy) => CompiledPolicy {
  const known = new Map(compiled.rules.map((rule) => [rule.rule, rule]));
  const paths = new Map(
    compiled.rules.flatMap(({ args, unless }) =>
      [...args, ...(unless?.args ?? [])].map(({ path }) => [JSON.stringify(path), path]),
    ),
  );
  const shared: Shared = { hash: compiled.hash, source: undefined, paths };
  return (policy) => {
    const rules = policy.rules.map((rule) => known.get(rule) ?? compileRule(rule, shared));
    return assemble(policy, rules, compiled);
  };
}

function hashOf(text: string): string {
  return createHash('sha256').update(text).digest('hex');
}

function compileOne(policy: Policy, from: Pick<Shared, 'hash' | 'source'> & { isGone: boolean }): CompiledPolicy {
  const { hash, source, isGone } = from;
  const paths = new Map<string, readonly ArgStep[]>();
  const rules = policy.rules.map((rule) => compileRule(rule, { hash, source, paths }));
  return assemble(policy, rules, { hash, isGone });
}

function assemble(policy: Policy, rules: readonly CompiledRule[], from: Pick<CompiledPolicy, 'hash' | 'isGone'>): CompiledPolicy {
  const { hash, isGone } = from;
  const { candidates, concernsMethod } = createRuleIndex(rules);
  const mayStop = (call: Call): boolean => {
    // An allow rule that takes every such call ends the search, as it would end the decision.
    const first = candidates(call).find(({ rule, isSettled: takesAll }) => rule.action !== 'allow' || takesAll);
    return first !== undefined && first.rule.action !== 'allow';
  };
  const deniesServer = compileServerPolicy(policy.serverPolicy);
  const trustsServer = compileTrusted(policy.flow.trusted);
  const knowsAddress = compileKnown(policy.flow.known);
  const classify = compileClassify(policy.classify);
  const suppressionOf = compileSuppressions(policy.detection.suppress);
  const asks = rules.some((rule) => asksKind(rule) || (rule.unless !== undefined && asksKind(rule.unless)));
  const named = { candidates, concernsMethod, mayStop, asksKind: asks };
  return {
    policy,
    hash,
    isGone,
    project: undefined,
    rules,
    deniesServer,
    trustsServer,
    knowsAddress,
    classify,
    suppressionOf,
    ...named,
  };
}

function compileSuppressions(all: readonly Suppression[]): CompiledPolicy['suppressionOf'] {
  const compiled = all.map((suppression) => ({
    suppression,
    server: compileGlob(suppression.server),
    tool: suppression.tool === undefined ? undefined : compileGlob(suppression.tool),
    rule: compileGlob(suppression.rule),
  }));
  return (rule, about) =>
    compiled.find(
      ({ server, tool, rule: rules }) =>
        rules.matches(rule) &&
        server.matches(about.server) &&
        (tool === undefined || (about.tool !== undefined && tool.matches(about.tool))),
    )?.suppression;
}

/** A denied server stays denied if it is allowed too. */
function compileServerPolicy({ mode, allow, deny }: ServerPolicy): CompiledPolicy['deniesServer'] {
  if (mode === 'none') return undefined;
  const denied = deny.map((pattern) => compileGlob(pattern));
  const allowed = mode === 'denylist' ? undefined : allow.map((pattern) => compileGlob(pattern));
  return (server) =>
    denied.some((glob) => glob.matches(server)) || (allowed !== undefined && !allowed.some((glob) => glob.matches(server)));
}

function compileTrusted(patterns: readonly string[]): CompiledPolicy['trustsServer'] {
  if (patterns.length === 0) return undefined;
  const globs = patterns.map((pattern) => compileGlob(pattern));
  return (server) => globs.some((glob) => glob.matches(server));
}

/** Patterns and values are compared as `addressesIn` writes them: without scheme, in lower case, numbers without signs. */
function compileKnown(patterns: readonly string[]): CompiledPolicy['knowsAddress'] {
  if (patterns.length === 0) return undefined;
  const globs = patterns.flatMap((pattern) => {
    const plain = pattern
      .toLowerCase()
      .replace(/^(?:[a-z][a-z0-9+.-]*:\/\/|mailto:)/, '')
      .replace(/^www\./, '')
      .replace(/\/+$/, '');
    const address = /^[+\d][\d ()./-]+$|^[a-z]{2}\d{2}[\da-z -]+$/.test(plain) ? plain.replaceAll(/[^\da-z]/g, '') : plain;
    return /[/@]/.test(address) ? [address] : [address, `${address}/**`];
  });
  const compiled = globs.map((pattern) => compileGlob(pattern));
  return (address) => compiled.some((glob) => glob.matches(address));
}

function compileClassify(globs: ClassifyGlobs): ClassifyOverrides {
  return CATEGORIES.flatMap((category) =>
    (globs[category] ?? []).map((pattern) => {
      const glob = compileGlob(pattern);
      return { category, matches: (name: string) => glob.matches(name) };
    }),
  );
}

interface Shared {
  readonly hash: string;
  readonly source: RuleRef['source'];
  /** Equal argument paths become one object, so that what they select is found once per call. */
  readonly paths: Map<string, readonly ArgStep[]>;
}

function compileRule(rule: Rule, shared: Shared): CompiledRule {
  // A call that a deny or prompt rule misses gets through, and so does one that an allow rule catches by mistake.
  const mode: Mode = rule.action === 'allow' ? 'certain' : 'possible';
  const conditions = compileConditions(rule, mode, shared);
  const unless = rule.unless === undefined ? undefined : compileConditions(rule.unless, flip(mode), shared);
  const ref = toRef(rule, shared.source);
  const decision: Decision = { action: rule.action, reason: 'rule', rule: ref, findings: [], policyHash: shared.hash };
  return {
    ...conditions,
    rule,
    ref,
    unless,
    isSettled: isSettled(conditions) && unless === undefined,
    coversNative: conditions.server !== undefined && coversNative(conditions.server),
    readsPaths: hasPaths(conditions) || (unless !== undefined && hasPaths(unless)),
    decision,
  };
}

function compileConditions(from: Conditions, mode: Mode, { paths }: Shared): CompiledConditions {
  const name = (matcher: Conditions['tool']): CompiledMatcher | undefined =>
    matcher === undefined ? undefined : compileMatcher(matcher, false);
  const args = from.args.map(({ path, matcher }): CompiledArg => {
    const compiled = compileMatcher(matcher, true);
    const key = JSON.stringify(path);
    const shared = paths.get(key) ?? path;
    paths.set(key, shared);
    return { path: shared, matcher: compiled, pathGlobs: pathGlobsOf(compiled), hasNot: hasNot(matcher) };
  });
  const resource = from.resource === undefined ? undefined : compileMatcher(from.resource, true);
  return {
    mode,
    method: name(from.method),
    server: name(from.server),
    tool: name(from.tool),
    prompt: name(from.prompt),
    resource: resource === undefined ? undefined : { matcher: resource, pathGlobs: pathGlobsOf(resource) },
    args: args.toSorted((a, b) => Number(b.pathGlobs.length > 0) - Number(a.pathGlobs.length > 0)),
    categories: from.category,
    fingerprints: from.fingerprint,
  };
}

function hasNot(matcher: Matcher): boolean {
  return matcher.op === 'not' || ((matcher.op === 'all' || matcher.op === 'any') && matcher.of.some(hasNot));
}

/** Tells whether the kind of tool counts. A wildcard may lead to texts that are paths only if the tool runs commands. */
function asksKind({ categories, args }: CompiledConditions): boolean {
  const isWild = ({ path, pathGlobs }: CompiledArg): boolean =>
    pathGlobs.length > 0 && path.some(({ kind }) => kind === 'any' || kind === 'deep');
  return categories !== undefined || args.some(isWild);
}

/** Tells whether the conditions ask for nothing beyond method, server and name. */
export function isSettled({ resource, args, categories, fingerprints }: CompiledConditions): boolean {
  return resource === undefined && args.length === 0 && categories === undefined && fingerprints === undefined;
}

function hasPaths({ resource, args }: CompiledConditions): boolean {
  return (resource?.pathGlobs.length ?? 0) > 0 || args.some(({ pathGlobs }) => pathGlobs.length > 0);
}

function toRef({ index, action, id, description, message }: Rule, source: RuleRef['source']): RuleRef {
  return {
    index,
    action,
    ...(source === undefined ? {} : { source }),
    ...(id === undefined ? {} : { id }),
    ...(description === undefined ? {} : { description }),
    ...(message === undefined ? {} : { message }),
  };
}
