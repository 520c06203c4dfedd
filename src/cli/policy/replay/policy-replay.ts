import { homedir } from 'node:os';
import { isAbsolute, resolve } from 'node:path';
import { loadFoundPolicy } from '../../../config/policy-file.ts';
import { ruleName } from '../../../core/decision.ts';
import { compilePolicy, type CompiledPolicy } from '../../../core/match/compile.ts';
import type { PathContext } from '../../../core/match/paths-to-resolve.ts';
import { ClawaiError, EXIT } from '../../../errors.ts';
import { pathStyle } from '../../../host/paths.ts';
import { openRegistryReader, openStoreReader } from '../../../store/reading/read-open.ts';
import type { EventQuery } from '../../../store/reading/read-query.ts';
import { hasColour } from '../../terminal/colour.ts';
import { defineCommand, type Parsed, usageError } from '../../command.ts';
import { CALL_FLAGS, TIME_FLAGS, toLimit, toQuery } from '../../log/event-flags.ts';
import { createExcerpts, formatError } from '../../terminal/errors.ts';
import { findPresentPolicy } from '../../machine/find-present-policy.ts';
import { findStore, STORE_FLAGS } from '../../machine/open-store.ts';
import { isQuiet, printError, warn } from '../../terminal/notes.ts';
import { createOutput, checkStdin, findStdinPolicy, nameOfFile } from '../../terminal/streams.ts';
import { formatJsonReport, FAIL_ON, hasFailed, type NamedPolicy, type ReplayReport, formatTextReport } from './replay-report.ts';
import { KnownDefinitions, type RegistryRows } from './known-definitions.ts';
import { type RecordedCall, readRecordedCall, type RecordedLine } from './recorded-call.ts';
import { isStateful, Replay } from './replay.ts';
import type { ReplayTally } from './replay-tally.ts';
import { replayFile, replayStore } from './replay-sources.ts';
import { whatIsAssumed } from './verdict.ts';

const ARGS = {
  policy: { type: 'string', hint: 'FILE', required: true, description: 'The policy to try, or - for stdin.' },
  against: {
    type: 'string',
    hint: 'FILE',
    description: 'Compare with what this policy (or - for stdin) would decide. The default is what was decided then.',
  },
  from: { type: 'string', hint: 'FILE', description: 'Replay exported events (or - for stdin) instead of the store.' },
  session: CALL_FLAGS.session,
  server: CALL_FLAGS.server,
  tool: CALL_FLAGS.tool,
  ...TIME_FLAGS,
  limit: { type: 'string', hint: 'N', description: 'Replay the newest N; the default is all.' },
  'fail-on': { type: 'enum', options: FAIL_ON, description: 'Which changes make the exit code 1 (any).' },
  home: { type: 'string', hint: 'DIR', description: 'The home that ~ stood for (yours).' },
  cwd: { type: 'string', hint: 'DIR', description: 'The folder where relative paths began (this one).' },
  json: { type: 'boolean', description: 'Print one JSON object, with all groups.' },
  ...STORE_FLAGS,
} as const;

type Flags = Parsed<typeof ARGS>['flags'];

/** `clawai policy replay`: decides the calls that are on record by another policy, and tells which of them would come to something else. */
export const policyReplayCommand = defineCommand({
  meta: {
    name: 'policy replay',
    description: 'Decide recorded calls by another policy, and list those that it would decide otherwise.',
    notes: [
      'What was decided then is what the policy said, whatever a person answered, also in observe mode. Calls that change are grouped by what decides now, what decided then, server and tool.',
      'If a rule or a guard needs something that is not on record, such as a redacted or cut argument, the call counts as one that "can\'t be told", with the reason. Other assumptions are listed at the end. Calls of `clawai doctor --live` are left out.',
      'FILE of --from is written by clawai log export or clawai log --calls --json, or is an audit.jsonl. The store is only read.',
      '--fail-on stricter counts only calls that are now denied or asked about and were less before. looser counts only the opposite, none counts nothing.',
    ],
    exitCodes: { 0: 'nothing changes', 1: 'something does', 2: 'it could not be evaluated' },
    examples: [
      'clawai policy replay --policy new.toml --since 7d',
      'clawai policy replay --policy new.toml --against policy.toml --fail-on looser',
      'clawai log export --since 30d > calls.jsonl',
      'clawai policy replay --policy policy.toml --from calls.jsonl --json',
    ],
  },
  args: ARGS,
  async run({ flags }) {
    const { query, limit } = checkFlags(flags);
    const paths = toPaths(flags);
    const loaded = await loadSides(flags);
    if (loaded === undefined) return EXIT.usage;
    const { next, against } = loaded;
    const others = await loadPresent();
    const source = await openSource(flags);
    if (source === undefined) return EXIT.usage;
    const definitions = new KnownDefinitions(source.registry);
    const isSelected = selectBy(query);
    const replay = new Replay({ next, against, others, paths, definitions, isSelected });
    if (source.kind === 'file') await replayFile(replay, source.file, { limit, isCounted: counts(isSelected) });
    else await replayStore(replay, source.reader, { query, limit, isStateful: isStateful({ next, against, paths }) });
    const policies = against === undefined ? [next] : [next, against];
    const shown = namesIn(replay.tally);
    const report: ReplayReport = {
      policy: await nameOf(next, nameOfFile(flags.policy), shown.to),
      against: against && (await nameOf(against, nameOfFile(flags.against ?? ''), shown.from)),
      replay,
      assumed: whatIsAssumed({
        policies,
        paths,
        hasRegistry: source.registry !== undefined,
        isLimited: limit !== undefined,
        hasProject: replay.hasProject,
      }),
    };
    if (source.kind === 'store') source.reader.close();
    // A file of which nothing could be read proves nothing.
    const isEmpty = replay.tally.calls === 0 && replay.unreadable > 0;
    const code = hasFailed(report, flags['fail-on'] ?? 'any') ? EXIT.mismatch : isEmpty ? EXIT.usage : EXIT.ok;
    const options = { colour: hasColour(process.stdout), now: Date.now() };
    const text = flags.json ? formatJsonReport(report) : isQuiet() && code === EXIT.ok ? '' : formatTextReport(report, options);
    await createOutput(process.stdout).write(text);
    return code;
  },
});

function checkFlags(flags: Flags): { readonly query: EventQuery; readonly limit: number | undefined } {
  if (flags.from !== undefined && flags.config !== undefined)
    throw usageError(
      '--from and --config contradict each other',
      '--config says where the store is, and --from takes a file instead',
    );
  checkStdin({ '--policy': flags.policy, '--against': flags.against, '--from': flags.from });
  const limit = toLimit({ limit: flags.limit, all: flags.limit === undefined });
  const { session, server, tool, since, until } = flags;
  return { query: toQuery({ session, server, tool, since, until }, Date.now()), limit };
}

/** The home, working directory and path style to replay with; a record has none of them. */
function toPaths({ home, cwd }: Flags): PathContext {
  for (const [name, folder] of Object.entries({ home, cwd })) {
    if (folder !== undefined && !isAbsolute(folder))
      throw usageError(`--${name}: ${JSON.stringify(folder)} is no absolute path`, `for example --${name} ${resolve(folder)}`);
  }
  return { home: home ?? homedir(), cwd: cwd ?? process.cwd(), platform: pathStyle(process.platform), remote: false };
}

interface LoadedSides {
  readonly next: CompiledPolicy;
  readonly against: CompiledPolicy | undefined;
}

/** Loads both policies, and prints the errors of both at once. */
async function loadSides({ policy, against }: Flags): Promise<LoadedSides | undefined> {
  const files = against === undefined || against === policy ? [policy] : [policy, against];
  const results = await Promise.allSettled(
    files.map(async (file) => compilePolicy(await loadFoundPolicy(file === '-' ? await findStdinPolicy() : { file }))),
  );
  const excerpt = createExcerpts();
  let isBad = false;
  const loaded: CompiledPolicy[] = [];
  for (const result of results) {
    if (result.status === 'fulfilled') loaded.push(result.value);
    else if (!(result.reason instanceof ClawaiError)) throw result.reason;
    else {
      isBad = true;
      printError(formatError(result.reason, excerpt));
    }
  }
  const [next] = loaded;
  return isBad || next === undefined ? undefined : { next, against: against === undefined ? undefined : (loaded[1] ?? next) };
}

/** The policy that calls were most likely decided by. */
async function loadPresent(): Promise<readonly CompiledPolicy[]> {
  try {
    return [compilePolicy(await loadFoundPolicy(await findPresentPolicy(undefined)))];
  } catch (error) {
    // The policy only helps to tell more, so a fault in it is ignored.
    if (error instanceof ClawaiError) return [];
    throw error;
  }
}

type Source =
  | { readonly kind: 'file'; readonly file: string; readonly registry: undefined }
  | {
      readonly kind: 'store';
      readonly reader: NonNullable<ReturnType<typeof openStoreReader>>;
      readonly registry: RegistryRows | undefined;
    };

/** Opens the store or file to replay; undefined without a store, which is a warning and no success. */
async function openSource({ from, config }: Flags): Promise<Source | undefined> {
  if (from !== undefined) return { kind: 'file', file: from, registry: undefined };
  const file = await findStore(config);
  const reader = openStoreReader(file);
  if (reader === undefined) {
    warn(`nothing was recorded yet, so nothing can be replayed: there is no store at ${file}`);
    return undefined;
  }
  const registry = openRegistryReader(file);
  const rows = registry && { definitions: registry.definitions({}), servers: registry.servers() };
  registry?.close();
  return { kind: 'store', reader, registry: rows };
}

/** Applies the query to records that do not come from the store, or come for the sake of others. */
function selectBy({ session, server, tool, since, until }: EventQuery): (record: RecordedCall) => boolean {
  return ({ session: of, time, call }) =>
    (session === undefined || of === session) &&
    (since === undefined || time >= since) &&
    (until === undefined || time < until) &&
    (server === undefined || server.matches(call.server)) &&
    (tool === undefined || (call.tool !== undefined && tool.matches(call.tool)));
}

/** Tells whether a line counts as asked for; one that can't be read does, so that it is reported. */
function counts(isSelected: (record: RecordedCall) => boolean): (line: RecordedLine) => boolean {
  return (line) => {
    const record = line.kind === 'call' ? readRecordedCall(line.body) : undefined;
    return typeof record === 'object' ? isSelected(record) : true;
  };
}

/** The names of all deciders in a report. */
function namesIn(tally: ReplayTally): Record<'from' | 'to', ReadonlySet<string>> {
  const [flips, doubts] = [tally.groups(), tally.doubtGroups()];
  return {
    from: new Set([...flips, ...doubts].map(({ from }) => from.by)),
    to: new Set(flips.map(({ to }) => to.by)),
  };
}

/** Rules are placed only for those who are shown any. */
async function nameOf({ hash, policy }: CompiledPolicy, file: string, shown: ReadonlySet<string>): Promise<NamedPolicy> {
  const rules = policy.rules.filter((rule) => shown.has(ruleName(rule)));
  if (rules.length === 0) return { file, hash, places: new Map() };
  const lines = await (await import('../edit-policy.ts')).linesOfRules(policy.text, policy.rules.length);
  return { file, hash, places: new Map(rules.map((rule) => [ruleName(rule), `${file}:${lines[rule.index] ?? 1}`])) };
}
