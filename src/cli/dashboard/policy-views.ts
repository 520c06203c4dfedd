import { CALL_TYPES } from '../../audit/event-types.ts';
import { ruleName } from '../../core/decision.ts';
import type { ClientsResult, ExplainResult, PolicyResult, WireRule } from '../../page/wire.ts';
import type { RuleActivity } from '../../store/reading/activity-reader.ts';
import { openActivityReader } from '../../store/reading/read-open.ts';
import { usageError } from '../command.ts';
import { type Fields, textOf } from '../log/event-fields.ts';
import { linesOfRules } from '../policy/edit-policy.ts';
import { openHere } from '../policy/explain/explain-here.ts';
import { placesIn } from '../policy/explain/policy-explain.ts';
import { readQuestion } from '../policy/explain/read-question.ts';
import { renderExplained } from '../policy/explain/render.ts';
import { printable, shortPath, visible } from '../terminal/text.ts';
import { type ListedFile } from '../wrap/server-listing.ts';
import { listStatus } from '../wrap/status.ts';
import { shown } from './wire-events.ts';

interface PolicyPlace {
  /** The store. */
  readonly file: string;
  readonly config: string | undefined;
  readonly policy: string | undefined;
}

/** The policy that decides here, its rules as they are written, and how many calls each has decided. */
export async function readPolicyView({ file, ...flags }: PolicyPlace): Promise<PolicyResult> {
  const here = await openHere({ ...flags, cwd: process.cwd() });
  const { user, project, note } = here.files;
  const decided = countRules(file);
  const known = new Set<string>();
  const rules: WireRule[] = [];
  for (const [source, each] of [
    ['project', project],
    ['user', user],
  ] as const) {
    if (each === undefined) continue;
    const lines = await linesOfRules(each.policy.text, each.policy.rules.length);
    const text = each.policy.text.split('\n');
    for (const rule of each.policy.rules) {
      const name = ruleName(source === 'project' ? { ...rule, source } : rule);
      const line = lines[rule.index] ?? 1;
      const end = lines[rule.index + 1] ?? text.length + 1;
      // A rule without an id is named by its place, which another policy has for another rule.
      const counts = decided.filter((one) => one.rule === name && (rule.id !== undefined || one.policy === here.hash));
      known.add(name);
      rules.push({
        name: visible(name),
        source,
        action: rule.action,
        ...(rule.description === undefined ? {} : { description: visible(rule.description) }),
        line,
        text: ruleText(text.slice(line - 1, end - 1)).map(visible),
        calls: sum(counts.filter(({ policy }) => policy === here.hash)),
        callsEver: sum(counts),
        ...(counts.length === 0 ? {} : { last: Math.max(...counts.map(({ last }) => last)) }),
      });
    }
  }
  const others = [
    ...Map.groupBy(
      decided.filter(({ rule }) => !known.has(rule)),
      ({ rule }) => rule,
    ),
  ];
  return {
    file: shortPath(user.file),
    ...(project === undefined ? {} : { project: shortPath(project.file) }),
    ...(note === undefined ? {} : { note: visible(note) }),
    fallback: user.policy.defaults.action,
    rules,
    others: others.map(([rule, counts]) => ({
      rule: shown(rule),
      calls: sum(counts),
      last: Math.max(...counts.map(({ last }) => last)),
    })),
  };
}

function countRules(file: string): readonly RuleActivity[] {
  const activity = openActivityReader(file, CALL_TYPES);
  try {
    return activity?.rules() ?? [];
  } finally {
    activity?.close();
  }
}

function sum(counts: readonly RuleActivity[]): number {
  return counts.reduce((total, { calls }) => total + calls, 0);
}

/** The rule's own lines: up to the next table, comment or empty line at its end. */
function ruleText(lines: readonly string[]): readonly string[] {
  const other = lines.findIndex((line, at) => at > 0 && /^\s*\[(?!\[?rule[.\]])/.test(line));
  const own = other === -1 ? lines : lines.slice(0, other);
  const last = own.findLastIndex((line) => line.trim() !== '' && !line.trim().startsWith('#'));
  return own.slice(0, last + 1);
}

/** Explains a call that a person made up, in the words of `clawai policy explain`. */
export async function explainForPage(asked: Fields, { config, policy }: PolicyPlace): Promise<ExplainResult> {
  const [server, tool, args] = ['server', 'tool', 'args'].map((name) => textOf(asked, name).trim());
  if (tool === undefined || tool === '') throw usageError('name a tool', '');
  // Nothing but JSON: on a command line, `@` names a file and `-` is stdin.
  if (args !== undefined && args !== '' && !args.startsWith('{'))
    throw usageError('the arguments are a JSON object', 'for example {"path": "/etc/hosts"}');
  const none = { resource: undefined, prompt: undefined, method: undefined, category: undefined };
  const fixture = await readQuestion({ ...none, tool, server: server || undefined, args: args || undefined });
  const here = await openHere({ policy, config, cwd: process.cwd() });
  const explanation = here.explain(fixture, { isAll: false });
  const around = { files: here.files, ...(await placesIn(here.files)), colour: false };
  const text = renderExplained({ fixture, explanation }, around);
  return { action: explanation.decision.action, lines: text.trimEnd().split('\n').map(printable) };
}

/** The clients' configs and hooks, as `clawai status` lists them. */
export async function readClientsView(): Promise<ClientsResult> {
  const { files, hooks, isObserving, serve, problem } = await listStatus();
  return {
    isObserving,
    serve: visible(serve),
    ...(problem === undefined ? {} : { problem: visible(problem) }),
    files: files.map(toWireFile),
    hooks: hooks.map(toWireFile),
  };
}

function toWireFile({ file, readers, problem, rows }: ListedFile): ClientsResult['files'][number] {
  return {
    file: visible(file),
    clients: visible(readers),
    ...(problem === undefined ? {} : { problem: visible(problem) }),
    servers: rows.map(({ server, state, tone, text }) => ({ server: shown(server), word: state, tone, text: visible(text) })),
  };
}
