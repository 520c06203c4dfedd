import { resolve } from 'node:path';
import { loadFoundPolicy } from '../../../config/policy-file.ts';
import type { Call } from '../../../core/call.ts';
import type { Decision } from '../../../core/decision.ts';
import { compilePolicy } from '../../../core/match/compile.ts';
import type { Policy } from '../../../core/policy/tables.ts';
import { ClawaiError, EXIT } from '../../../errors.ts';
import { explain, type ExplainOptions } from '../../../policy-tools/explain/explain.ts';
import type { Explanation } from '../../../policy-tools/explain/explanation.ts';
import { contradiction, defineCommand, type Parsed, usageError } from '../../command.ts';
import { findPresentPolicy, POLICY_FLAG, shippedNote } from '../../machine/find-present-policy.ts';
import { hasColour } from '../../terminal/colour.ts';
import { createExcerpts, formatError } from '../../terminal/errors.ts';
import { note, printError } from '../../terminal/notes.ts';
import { shortPath, prettyJson } from '../../terminal/text.ts';
import { checkStdin, createOutput, nameOfFile } from '../../terminal/streams.ts';
import { linesOfRules } from '../edit-policy.ts';
import type { Fixture, SessionSetup } from '../fixtures/fixture-case.ts';
import { FIXTURE_PATHS, FixtureSession } from '../fixtures/fixture-session.ts';
import { loadFixtures } from '../fixtures/read-fixtures.ts';
import { openHere } from './explain-here.ts';
import type { Explained, PolicyFiles, Surroundings } from './explained.ts';
import { readQuestion } from './read-question.ts';
import { renderExplained } from './render.ts';
import { toJson } from './to-json.ts';

const ARGS = {
  tool: { type: 'string', hint: 'NAME', description: 'The tool to call.' },
  args: { type: 'string', hint: 'JSON', description: 'Its arguments: a JSON object, @FILE, or - for stdin.' },
  server: { type: 'string', hint: 'NAME', description: 'The server ("fixture"); "native" for the agent\'s own tools.' },
  resource: { type: 'string', hint: 'URI', description: 'Explain reading this resource, instead of a tool call.' },
  prompt: { type: 'string', hint: 'NAME', description: 'Explain fetching this prompt, instead of a tool call.' },
  method: {
    type: 'string',
    hint: 'METHOD',
    description: 'Explain another method, such as resources/subscribe or sampling/createMessage.',
  },
  category: { type: 'string', hint: 'LIST', description: 'The kinds of the tool, whatever its name says: read, send, …' },
  cwd: { type: 'string', hint: 'DIR', description: "The server's working directory." },
  here: { type: 'boolean', description: 'With --policy: decide as on this machine, in this folder.' },
  fixture: {
    type: 'string',
    hint: 'FILE',
    description: 'Explain the calls of a fixture file, or - for stdin. They need not expect anything.',
  },
  name: { type: 'string', hint: 'NAME', description: 'With --fixture: only the fixture of this name.' },
  policy: POLICY_FLAG,
  config: { type: 'string', hint: 'FILE', description: 'The config that says where the store is.' },
  event: {
    type: 'string',
    hint: 'ID',
    description: 'Explain a call on record, as it was decided, by its id or the beginning of it.',
  },
  'last-denied': { type: 'boolean', description: 'Explain the call on record that was denied last.' },
  allow: {
    type: 'boolean',
    description: 'With --event or --last-denied: propose a rule that allows it, show the change, and ask before writing it.',
  },
  all: { type: 'boolean', description: 'Print every rule, also those about other calls and those below the one that decides.' },
  json: { type: 'boolean', description: 'Print one JSON object.' },
} as const;

type Flags = Parsed<typeof ARGS>['flags'];

/** `clawai policy explain`: why a call is decided as it is. Decides nothing by itself: all it tells comes from what decides. */
export const policyExplainCommand = defineCommand({
  meta: {
    name: 'policy explain',
    description: 'Explain a decision: which guard and which rule decided, and which argument they matched.',
    notes: [
      "Without --policy and --fixture, the call is explained for this machine and folder. That takes the policy that would decide here and that of the project, your home, links, clawai's own files, and what is on record of the tool (its pin, its kind, findings). --policy FILE --here does the same with that policy.",
      'With --policy alone, and for fixtures, only the policy counts: the home is /home/user, the working directory /home/user/project, links lead nowhere, and no definition is known. Neither looks at earlier calls of a session or their number; for that, use a fixture with "steps".',
      'A rule that misses is shown with the conditions that do not hold. If many miss, those are shown that miss by one condition. Rules below the one that decides are not asked; --all shows what they would say.',
      '--json prints {"policy": FILE, "project": FILE or null, "explanations": [{"call", "decision", "stages", "rules"}]}, also for one call. A stage has what it says by itself ("action", or "silence" if nothing) and whether it was "asked". A condition has "holds" and "because". For a value, it also has its place ("pointer"), what it was read as ("form") and how ("readAs"). Values are cut.',
      'With --event or --last-denied, the policy that decided then is used if it is still at hand (--policy, the present one, or that of a wrapped server). Otherwise the explanation says that it has changed. Links, definitions and the working directory are as they are now; findings of [flow] are those on record. If redacted arguments could change the decision, the explanation says so.',
      '--allow proposes a rule for exactly this call, right before the rule that denied or asked, with a fixture. It needs a person at a terminal, and writes nothing without a yes.',
    ],
    exitCodes: {
      0: 'explained, whatever the decision',
      1: 'what --allow proposed was not written',
      2: 'it could not be explained',
    },
    examples: [
      'clawai policy explain --tool read_file --args \'{"path": "~/.ssh/id_rsa"}\'',
      'clawai policy explain --policy policy.toml --server files --tool write_file --args @call.json --all',
      'clawai policy explain --server files --tool read_file --args \'{"path": "notes.txt"}\'',
      'clawai policy explain --last-denied',
      'clawai policy explain --event 6f0c2d.17 --allow',
      'clawai policy explain --policy policy.toml --fixture fixtures/read-ssh-key.json',
    ],
  },
  args: ARGS,
  async run({ flags }) {
    if (flags.event !== undefined || flags['last-denied']) return explainRecorded(flags);
    if (flags.allow) throw usageError('--allow is about a call on record', 'name it with --event ID, or write --last-denied');
    const isHere = flags.here || (flags.policy === undefined && flags.fixture === undefined);
    checkFlags(flags, isHere);
    checkStdin({ '--policy': flags.policy, '--fixture': flags.fixture, '--args': flags.args });
    const asked = flags.fixture === undefined ? [await readQuestion(flags)] : await readFixtures(flags.fixture, flags.name);
    if (asked === undefined) return EXIT.usage;
    const options = { isAll: flags.all };
    const { files, explained } = isHere ? await explainHere(asked, flags, options) : await explainAnywhere(asked, flags, options);
    if (files.note !== undefined) note(files.note);
    const around: Surroundings = { files, ...(await placesIn(files)), colour: hasColour(process.stdout) };
    await createOutput(process.stdout).write(flags.json ? formatJson(explained, around) : formatText(explained, around));
    return EXIT.ok;
  },
});

/** A call on record. What it depends on and is not on record is said, and not made up. */
async function explainRecorded(flags: Flags): Promise<number> {
  const { event: id, policy, config, cwd = '.' } = flags;
  const other = (['tool', 'args', 'server', 'resource', 'prompt', 'method', 'category', 'fixture', 'name'] as const).find(
    (key) => flags[key] !== undefined,
  );
  const by = id === undefined ? '--last-denied' : '--event';
  if (other !== undefined) throw usageError(`${by} and --${other} contradict each other`, 'what was called is on record');
  if (id !== undefined && flags['last-denied']) throw contradiction('--event and --last-denied');
  if (flags.allow && policy === '-') throw usageError('--allow cannot write to stdin', 'name a file with --policy');
  if (flags.allow && flags.json) throw usageError('--allow and --json contradict each other', 'a person has to read the change');
  const { explainEvent } = await import('./explain-event.ts');
  const recorded = await explainEvent({ id, policy, config, cwd: resolve(cwd) }, { isAll: flags.all });
  if (recorded === undefined) return EXIT.usage;
  const { files, explained, lead, event } = recorded;
  const around: Surroundings = { files, ...(await placesIn(files)), colour: hasColour(process.stdout) };
  const text = flags.json ? formatJson([explained], around, event) : `${lead.join('\n')}\n\n${formatText([explained], around)}`;
  await createOutput(process.stdout).write(text);
  if (!flags.allow) return EXIT.ok;
  const { proposeAllow } = await import('./propose-allow.ts');
  return (await proposeAllow(recorded)) ? EXIT.ok : EXIT.mismatch;
}

/** Flags that say nothing together would be ignored, and what is explained would not be what was meant. */
function checkFlags(flags: Flags, isHere: boolean): void {
  const { fixture, here, name, config } = flags;
  const ofCall = (['tool', 'args', 'server', 'resource', 'prompt', 'method', 'category', 'cwd'] as const).find(
    (key) => flags[key] !== undefined,
  );
  if (fixture !== undefined && ofCall !== undefined)
    throw usageError(`--fixture and --${ofCall} contradict each other`, 'a fixture says itself what is called');
  if (fixture !== undefined && here)
    throw usageError('--fixture and --here contradict each other', 'fixtures are the same on every machine');
  if (fixture === undefined && name !== undefined) throw usageError('--name is of a fixture', 'name its file with --fixture');
  if (config !== undefined && !isHere) throw usageError('--config is only read with --here', 'leave it out, or add --here');
}

/** Reads the fixtures of a file, or those of a name; undefined after printing why the file can't be read. */
async function readFixtures(file: string, name: string | undefined): Promise<readonly Fixture[] | undefined> {
  const { fixtures, errors } = await loadFixtures([file], { mustExpect: false });
  if (errors.length > 0) {
    const excerpt = createExcerpts();
    printError(errors.map((error) => formatError(error, excerpt)).join(''));
    return undefined;
  }
  const names = [...new Set(fixtures.map((each) => each.name))];
  if (name === undefined || names.includes(name)) return fixtures.filter((each) => name === undefined || each.name === name);
  throw new ClawaiError(`there is no fixture ${JSON.stringify(name)}`, {
    code: 'usage',
    place: { file: nameOfFile(file) },
    hint: `there are ${names
      .slice(0, 10)
      .map((each) => JSON.stringify(each))
      .join(', ')}${names.length > 10 ? ` and ${names.length - 10} more` : ''}`,
  });
}

interface Outcome {
  readonly files: PolicyFiles;
  readonly explained: readonly Explained[];
}

async function explainHere(
  asked: readonly Fixture[],
  { policy, config, cwd = '.' }: Flags,
  options: ExplainOptions,
): Promise<Outcome> {
  const here = await openHere({ policy, config, cwd: resolve(cwd) });
  return {
    files: here.files,
    explained: asked.map((fixture) => ({ fixture, explanation: here.explain(fixture, options) })),
  };
}

/** Explains calls on the machine of fixtures. Steps share their session, each with what the ones before have left. */
async function explainAnywhere(asked: readonly Fixture[], flags: Flags, options: ExplainOptions): Promise<Outcome> {
  const { cwd } = flags;
  if (cwd !== undefined && !cwd.startsWith('/'))
    throw usageError(
      `--cwd ${JSON.stringify(cwd)} is not absolute`,
      'write a path that begins with /, or add --here for this machine',
    );
  const found = await findPresentPolicy(flags.policy);
  const policy = await loadFoundPolicy(found);
  const paths = cwd === undefined ? FIXTURE_PATHS : { ...FIXTURE_PATHS, cwd };
  const parts = { policy: compilePolicy(policy), paths };
  const sessions = new Map<SessionSetup | undefined, FixtureSession>();
  const explained = asked.map((fixture): Explained => {
    const setup = fixture.step?.session;
    const session = (setup === undefined ? undefined : sessions.get(setup)) ?? new FixtureSession(parts, setup);
    sessions.set(setup, session);
    const { explanation, result, request } = session.judge<{ decision: Decision; explanation: Explanation }>(fixture, {
      by(call, snapshot) {
        const each = explain(call, snapshot, options);
        return { decision: each.decision, explanation: each };
      },
      keptBack: (call, decision) => ({ decision, explanation: keptBack(call, decision) }),
    });
    return { fixture, explanation, result, request };
  });
  return { files: { user: { file: found.file, policy }, project: undefined, note: shippedNote(found, 'explained') }, explained };
}

/** Explains a request that detection alone keeps back, before any other stage is asked. */
function keptBack(call: Call, decision: Decision): Explanation {
  const stage = {
    stage: 'detection',
    says: decision,
    silence: undefined,
    isSkipped: false,
    hasDecided: true,
    known: {},
  } as const;
  return { call, decision, stages: [stage], rules: [] };
}

/** Above so many characters, one line is not worth a second reading of the whole policy. */
const MOST_PLACED = 200_000;

/** Finds the lines on which rules and defaults stand. */
export async function placesIn({ user, project }: PolicyFiles): Promise<Pick<Surroundings, 'lines' | 'defaultLines'>> {
  const linesIn = async ({ text, rules }: Policy): Promise<readonly number[]> => linesOfRules(text, rules.length);
  const lines = { user: await linesIn(user.policy), project: project === undefined ? [] : await linesIn(project.policy) };
  const { text } = user.policy;
  if (text.length > MOST_PLACED || !text.includes('defaults')) return { lines, defaultLines: {} };
  const { createLocator } = await import('../../../core/policy/locate.ts');
  const { readTomlLayout } = await import('../../../core/policy/toml-layout.ts');
  const { exact } = createLocator(readTomlLayout(text));
  return { lines, defaultLines: { action: exact(['defaults', 'action'])?.line, native: exact(['defaults', 'native'])?.line } };
}

function formatText(explained: readonly Explained[], around: Surroundings): string {
  const { project } = around.files;
  const beside = project === undefined ? '' : `\nthe policy of the project counts beside it: ${shortPath(project.file)}\n`;
  return explained.map((each) => renderExplained(each, around)).join('\n\n') + beside;
}

function formatJson(explained: readonly Explained[], around: Surroundings, event?: object): string {
  const { user, project } = around.files;
  const explanations = explained.map((each) => toJson(each, around));
  return prettyJson({ policy: user.file, project: project?.file ?? null, event, explanations });
}
