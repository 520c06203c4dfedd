import { parsePolicyText } from '../../../config/policy-file.ts';
import type { Call } from '../../../core/call.ts';
import { decide } from '../../../core/decide/decide.ts';
import type { Decision } from '../../../core/decision.ts';
import { compilePolicy } from '../../../core/match/compile.ts';
import { askYes, requirePerson } from '../../terminal/person.ts';
import { formatDiff } from '../../terminal/colour.ts';
import { prepareRules, type RuleChange, ruleRefusal } from '../edit-policy.ts';
import { shortPath } from '../../terminal/text.ts';
import type { EventExplained } from './explain-event.ts';
import { warn } from '../../terminal/notes.ts';

const BY_HAND = 'write a rule by hand, and prove it with a fixture';

/**
 * Shows the rule that would allow a recorded call, and writes it where a person says yes.
 *
 * @returns whether the policy allows the call now
 * @throws ClawaiError `usage` where no rule can allow it, with what to do instead; `person_required`
 */
export async function proposeAllow(recorded: EventExplained): Promise<boolean> {
  const change = await prepare(recorded);
  if (change === undefined) {
    process.stdout.write('\nthe policy allows it as it is now, so nothing has to change\n');
    return true;
  }
  process.stdout.write(`\n${formatDiff(change.diff, { isAsked: true })}\n`);
  requirePerson('policy explain --allow');
  if (!(await askYes('Change the policy so?'))) {
    warn('the policy stays as it is');
    return false;
  }
  await change.apply();
  process.stdout.write('the policy was changed; the agent can make the call again\n');
  return true;
}

/** Undefined where nothing has to be written. */
async function prepare({ record, explained, here, isRedacted, files }: EventExplained): Promise<RuleChange | undefined> {
  const { call, reason, rule } = record;
  // A guard that denied the call then may be silent now, since it knows too little of the call.
  const byGuard = rule === undefined ? refusalOf(reason, call) : undefined;
  if (byGuard !== undefined) throw ruleRefusal(...byGuard);
  const { decision } = explained.explanation;
  refuseProject(rule?.startsWith('project: ') === true ? 'project' : decision.rule?.source, files.project?.file);
  if (isRedacted) throw ruleRefusal('its arguments are redacted or cut on record, so it would not be this very call', BY_HAND);
  if (decision.action === 'allow') return undefined;
  refuseOthers(decision, call);
  const [change] = await prepareRules(files.user.file, { call, asked: decision.rule }, BY_HAND);
  const snapshot = here.snapshot(explained.fixture);
  const policy = compilePolicy(await parsePolicyText(change.after, { file: files.user.file }), {
    project: files.project?.policy,
  });
  const after = snapshot === undefined ? decision : decide(call, { ...snapshot, policy });
  if (after.action === 'allow') return change;
  refuseProject(after.rule?.source, files.project?.file);
  refuseOthers(after, call);
  throw ruleRefusal('it would not be allowed by that either', BY_HAND);
}

function refuseProject(source: 'project' | undefined, file = 'its policy'): void {
  if (source !== 'project') return;
  throw ruleRefusal("the project's policy decides, and only that can let it pass", `change ${shortPath(file)}`);
}

function refuseOthers({ reason }: Decision, call: Call): void {
  const refusal = refusalOf(reason, call);
  if (refusal !== undefined) throw ruleRefusal(...refusal);
}

/** Why a rule does not help, and what does; undefined where one does. */
function refusalOf(reason: string, { server }: Call): readonly [reason: string, hint: string] | undefined {
  const trust = `clawai approve --server ${/^[\w][\w.@/-]*$/.test(server) ? server : 'SERVER'}`;
  switch (reason) {
    case 'rule':
    case 'default':
      return undefined;
    case 'self':
      return [
        "it reaches for clawai's own files or settings, which nothing allows to an agent",
        'do it yourself, in a terminal of your own',
      ];
    case 'pinning':
      return ['its definition, or how its server is started, is not trusted', `${trust} shows what is different`];
    case 'schema':
      return ["its arguments do not fit the tool's schema", 'change [schema] in the policy'];
    case 'dlp':
      return ['its arguments contain a secret', 'change [dlp] in the policy'];
    case 'detection':
      return ['detection has found something in what it is about', `${trust} shows it`];
    case 'server_policy':
      return ['the policy does not allow its server', 'change [server_policy], or unknown_server in [defaults]'];
    case 'unmapped_tool':
      return ['its name belongs to no known server', 'change unmapped_tool in [defaults], or wrap its server'];
    case 'flow':
      return ['what it makes together with other calls decides', 'change [flow] in the policy'];
    case 'rate_limit':
      return ['there were too many calls', 'wait, or change [rate_limits] in the policy'];
    case 'nul_byte':
      return ['a path in its arguments has a NUL byte, which nothing allows', 'let the agent call it without that'];
    case 'policy_gone':
      return ['the policy is gone', 'clawai init'];
    case 'unknown_method':
      return ['the policy denies methods that MCP does not have', 'change unknown_methods in [defaults]'];
    default:
      return reason.startsWith('approval_')
        ? ['a guard has asked about it, and no rule', 'answer it when it is asked again: clawai approvals']
        : [`no rule has decided it (${reason})`, 'clawai doctor'];
  }
}
