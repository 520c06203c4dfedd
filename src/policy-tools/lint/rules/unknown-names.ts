import { literalsOf } from '../../relation/name-relation.ts';
import { isAboutNative } from '../../relation/rule-relation.ts';
import { suggestName } from '../../../suggest.ts';
import { CALL_METHODS } from '../../../core/call.ts';
import { compileMatcher, matchesName } from '../../../core/match/compile-matcher.ts';
import type { Matcher, PolicyPath, Rule } from '../../../core/policy/types.ts';
import type { KnownTool, LintFinding, LintRule } from '../finding.ts';
import { fieldsOf, patternsOf } from '../rule-fields.ts';

/** `args."a.b"` is one argument with a dot in its name. */
export const dottedArgument: LintRule = {
  id: 'dotted-argument',
  severity: 'warning',
  summary: 'A quoted key with a dot is one name, not a path.',
  *find({ policy }) {
    for (const { field, path } of policy.rules.flatMap(fieldsOf)) {
      if (field !== 'args') continue;
      const name = path
        .slice(path.indexOf('args') + 1)
        .find((key) => typeof key === 'string' && !key.startsWith('/') && /\w\.\w/.test(key));
      if (typeof name !== 'string') continue;
      yield {
        path,
        message: `"${name}" in quotes is one argument with a dot in its name`,
        hint: `args.${name} looks into ${name.split('.')[0]}; args."/${name}" means the dot`,
      };
    }
  },
};

/** Methods that MCP has besides calls, and that are near to one. A rule may be about them. */
const OTHERS: ReadonlySet<string> = new Set(['tools/list', 'resources/list', 'prompts/list']);

/** A method that is nearly one of those that are calls. */
export const unknownMethod: LintRule = {
  id: 'unknown-method',
  severity: 'warning',
  summary: 'A method looks like that of a call, but no call has it.',
  *find({ policy }) {
    for (const { glob, path, field } of policy.rules.flatMap(patternsOf)) {
      if (glob === undefined || field !== 'method' || /[*?]/.test(glob) || CALL_METHODS.has(glob) || OTHERS.has(glob)) continue;
      const meant = suggestName(glob, [...CALL_METHODS]);
      if (meant !== undefined) yield { path, message: `"${glob}" is not a method of MCP`, hint: `did you mean "${meant}"?` };
    }
  },
};

const MOST_NAMED = 6;

/** A name that no server has listed. Found only if the listed names are known. */
export const unknownName: LintRule = {
  id: 'unknown-name',
  severity: 'warning',
  summary: 'A rule names a server, tool or argument that no server has listed (with --registry).',
  *find({ policy, known = [] }) {
    if (known.length === 0) return;
    const ofServers = Map.groupBy(known, ({ server }) => server);
    const servers = [...ofServers.keys()];
    for (const rule of policy.rules) {
      if (rule.tool === undefined || isAboutNative(rule)) continue;
      const path = ['rule', rule.index];
      const ofServer = servers.filter(namesOf(rule.server)).flatMap((server) => ofServers.get(server) ?? []);
      yield* findUnknown('server', rule.server, { path: [...path, 'server'], names: servers });
      if (ofServer.length === 0) continue;
      yield* findUnknown('tool', rule.tool, { path: [...path, 'tool'], names: ofServer.map(({ name }) => name) });
      const isMeant = namesOf(rule.tool);
      yield* findArguments(
        rule,
        ofServer.filter(({ name }) => isMeant(name)),
      );
    }
  },
};

/** Finds unknown names. One that is near another is a slip; any other may be of a server that was not started yet. */
function* findUnknown(
  field: 'server' | 'tool',
  matcher: Matcher | undefined,
  { path, names }: { readonly path: PolicyPath; readonly names: readonly string[] },
): Iterable<LintFinding> {
  const literals = matcher === undefined ? [] : (literalsOf(matcher) ?? []);
  for (const [index, name] of literals.entries()) {
    if (names.includes(name)) continue;
    const meant = suggestName(name, names);
    yield {
      path: matcher?.op === 'globs' && literals.length > 1 ? [...path, index] : path,
      message: field === 'server' ? `no known server is called "${name}"` : `no known tool is called "${name}"`,
      hint: meant === undefined ? '`clawai mcp registry list` shows what servers have listed' : `did you mean "${meant}"?`,
      ...(meant === undefined ? { severity: 'info' } : {}),
    };
  }
}

/** Finds arguments that none of a rule's tools has; nothing if one of them does not say what it takes. */
function* findArguments(rule: Rule, tools: readonly KnownTool[]): Iterable<LintFinding> {
  if (tools.length === 0 || tools.some(({ args }) => args === undefined)) return;
  const names = [...new Set(tools.flatMap(({ args = [] }) => args))];
  for (const { field, path, matcher } of fieldsOf(rule)) {
    // Absence may be what is asked for.
    if (matcher.op === 'exists') continue;
    const [key] = field === 'args' ? path.slice(path.indexOf('args') + 1) : [];
    if (typeof key !== 'string' || key.startsWith('*')) continue;
    const name = key.startsWith('/') ? (key.split('/')[1] ?? '').replaceAll('~1', '/').replaceAll('~0', '~') : key;
    if (names.includes(name)) continue;
    const meant = suggestName(name, names) ?? (names.length === 1 ? names[0] : undefined);
    const others = names.slice(0, MOST_NAMED).join(', ');
    yield {
      path,
      message: `no known tool of this rule has an argument "${name}"`,
      hint: meant === undefined ? `they have: ${others === '' ? 'none' : others}` : `did you mean "${meant}"?`,
    };
  }
}

/** Tells which names a matcher is about, which is compiled once. */
function namesOf(matcher: Matcher | undefined): (name: string) => boolean {
  if (matcher === undefined) return () => true;
  const compiled = compileMatcher(matcher, false);
  return (name) => matchesName(compiled, name);
}
