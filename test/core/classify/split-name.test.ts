import { expect, it } from 'vitest';
import { splitName } from '../../../src/core/classify/split-name.ts';

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
