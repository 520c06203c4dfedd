import { expect, it } from 'vitest';
import { splitName } from '../../../../src/core/registry/classify/split-name.ts';

it.each([
  ['getUser', 'get user'],
  ['get_user', 'get user'],
  ['get-user', 'get user'],
  ['GET user', 'get user'],
  ['ns.tool/get__user', 'ns tool get user'],
  ['getHTTPLog', 'get http log'],
  ['TwilioApiV2010--CreateMessage', 'twilio api v2010 create message'],
  ['base64_encode', 'base64 encode'],
  ['getSMSsend', 'get sms send'],
  ['getSMSSend', 'get sms send'],
  ['getDеleteUser', 'get delete user'],
  ['ｇｅｔＵｓｅｒ', 'get user'],
  ['läsePost', 'läse post'],
  ['', ''],
  ['_-.', ''],
])('%j: %s', (name, words) => {
  expect(splitName(name).join(' ')).toBe(words);
});

it('takes no longer for what is made to take long', () => {
  const started = performance.now();
  for (let at = 0; at < 2000; at += 1) splitName('A'.repeat(255) + at);
  // A tenth of a second; seconds where every capital is tried as the beginning of an acronym.
  expect(performance.now() - started).toBeLessThan(1000);
});
