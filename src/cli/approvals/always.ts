import { namesBesides, readAskedCall } from '../../approval/asked-call.ts';
import { keyFile, readOrMakeKey } from '../../approval/key-file.ts';
import type { Call } from '../../core/call.ts';
import type { ClawaiError } from '../../errors.ts';
import type { Question } from '../../gate/ports/approval-port.ts';
import { prepareRules, type RuleChange, type RuleChanges, ruleRefusal } from '../policy/edit-policy.ts';
import { visible } from '../terminal/text.ts';

/** Works out the changes to choose from, without making one. @throws ClawaiError where no rule can be written for this call */
export type PrepareAlways = (question: Question) => Promise<RuleChanges>;

const HINT = 'allow it once, or for this session, or write the rule yourself';

/** Creates the function that prepares changes of the policy, the narrowest first. `stateDir` holds clawai's state. */
export function createAlways(stateDir: string): PrepareAlways {
  return async (question) => {
    const { policyFile } = question;
    if (policyFile === undefined) throw refusal('it is not the policy of your own that asks');
    const asked = readAskedCall(question, readOrMakeKey(keyFile(stateDir)));
    if (asked === undefined) throw refusal('it is too long for a rule');
    const [first, ...wider] = await prepareRules(policyFile, asked, HINT);
    const note = noteOf(asked.call);
    const withNotes = (change: RuleChange): RuleChange => ({ ...change, diff: note + change.diff });
    const widened = wider.map((change) =>
      withNotes({ ...change, diff: `! This rule allows ${change.words}.\n\n${change.diff}` }),
    );
    return [withNotes(first), ...widened];
  };
}

/** Names in one note, and characters of each. */
const MOST_NAMES = 8;
const LONGEST_SHOWN = 64;

/** A rule is wider than the call where that sends what no rule can be about; the person who widens it has to know. */
function noteOf(call: Call): string {
  const names = namesBesides(call);
  if (names.length === 0) return '';
  const shown = names.slice(0, MOST_NAMES).map((name) => visible(name.slice(0, LONGEST_SHOWN)));
  const more = names.length > shown.length ? ` and ${names.length - shown.length} more` : '';
  return `! The rule says nothing of what is sent besides, and allows any: ${shown.join(', ')}${more}\n\n`;
}

function refusal(reason: string): ClawaiError {
  return ruleRefusal(reason, HINT);
}
