import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { keyFile, readOrMakeKey } from '../../../src/approval/key-file.ts';
import { toQuestion } from '../../../src/approval/to-question.ts';
import { Answers } from '../../../src/cli/dashboard/answers.ts';
import type { Call } from '../../../src/core/call.ts';
import { question, useQuestions } from '../../support/questions.ts';

const POLICY = '[[rule]]\nid = "ask"\naction = "prompt"\ntool = "**"\n';
const CALL: Call = { method: 'tools/call', server: 's', tool: 'write', args: { path: '/srv/a/b' } };

const here = useQuestions();

it.each([
  ['refused', POLICY],
  ['granted', expect.stringContaining('action = "allow"')],
] as const)('"always" about a call that was %s meanwhile changes the policy only if that was no no', async (state, expected) => {
  const { folder, open } = here.current;
  const policyFile = join(folder, 'policy.toml');
  writeFileSync(policyFile, POLICY);
  const decision = {
    action: 'prompt',
    reason: 'rule',
    rule: { index: 0, action: 'prompt', id: 'ask' },
    findings: [],
    policyHash: '',
  } as const;
  const { asker } = question();
  const key = readOrMakeKey(keyFile(folder));
  const asked = toQuestion(CALL, decision, { session: 'a', asker, key, timeout: 60_000, policyFile });
  const store = open();
  store.ask(asked, { most: 9, within: 1000 });
  const answers = new Answers(store, folder);
  const { choices } = await answers.showAlways({ id: asked.id });
  store.answer(asked.id, { state, by: 'another', remember: 'once' }, { now: Date.now(), grantedUntil: 0 });
  const given = answers.always({ change: choices[1]?.change });
  if (state === 'refused') await expect(given).rejects.toThrow('was denied already, so the policy stays as it is');
  else expect(await given).toMatchObject({ isTaken: false });
  expect(readFileSync(policyFile, 'utf8')).toEqual(expected);
});
