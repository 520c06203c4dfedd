import { describe, expect, it } from 'vitest';
import { deflateSync, gzipSync } from 'node:zlib';
import { createSecretFinder } from '../../../src/core/dlp/find-secrets.ts';
import { formatToken } from '../../../src/core/dlp/tokens.ts';
import { findSecretsInArguments } from '../../../src/core/outgoing/find-secrets-in-arguments.ts';
import type { JsonObject } from '../../../src/core/json.ts';
import { policyFrom } from '../../support/policy.ts';

const KEY = `ghp_${'16C7e42F292c6912E7710c838347Ae178B4a'}`;
const TOKEN = formatToken('github_token', Buffer.alloc(16, 7));
const BASE64 = Buffer.from(KEY).toString('base64');
const each = (code: (sign: string) => string, separator = ''): string => Array.from(KEY, code).join(separator);
const codeOf = (sign: string): number => sign.charCodeAt(0);

function base32(text: string): string {
  const bits = Array.from(Buffer.from(text), (byte) => byte.toString(2).padStart(8, '0')).join('');
  return (bits.match(/.{1,5}/g) ?? [])
    .map((five) => 'ABCDEFGHIJKLMNOPQRSTUVWXYZ234567'[Number.parseInt(five.padEnd(5, '0'), 2)])
    .join('');
}

/** Each finding: its kind, place and disguise, and `+` if it can be taken out. */
function found(args: JsonObject, dlp = ''): string[] {
  const { dlp: rules } = policyFrom(`[dlp]\n${dlp}`);
  const secrets = findSecretsInArguments(args, { finder: createSecretFinder(rules), byName: rules.keys });
  return secrets.map(
    ({ kind, path, hiding, spans }) =>
      `${kind}@${path}${hiding === undefined ? '' : ` ${hiding}`}${spans === undefined ? '' : '+'}`,
  );
}

const CARD = '4539148803436467';
const GROUPED = '4539 1488 0343 6467';
const IBAN = 'DE89370400440532013000';
const OWN = `[[dlp.pattern]]
name = "employee"
regex = "EMP-[0-9]{6}"
[[dlp.pattern]]
name = "shape"
regex = "[A-Z]{3}-[0-9]{6}"
[[dlp.pattern]]
name = "project"
regex = "Project Falcon"
`;
const backwards = (text: string): string => Array.from(text).toReversed().join('');
const rotated = (text: string): string =>
  text.replace(/[a-z]/gi, (sign) => String.fromCharCode(codeOf(sign) + ((codeOf(sign) | 32) < 110 ? 13 : -13)));

it.each<[string, JsonObject, string]>([
  ['in groups, backwards', { a: `pay with ${backwards(GROUPED)} now` }, 'card@a reversed'],
  ['backwards, with its sentence', { a: backwards(`my card is ${CARD} ok`) }, 'card@a reversed'],
  ['backwards behind a word', { a: `card ${backwards(CARD)}` }, 'card@a reversed'],
  ['backwards under a name', { card: backwards(CARD) }, 'card@card reversed'],
  ['backwards in base64', { a: Buffer.from(`card ${backwards(CARD)}`).toString('base64') }, 'card@a base64, reversed'],
  ['digit by digit', { card: Array.from(CARD).join(' ') }, 'card@card spaced'],
  ['with dots', { a: `the card 4539.1488.0343.6467` }, 'card@a spaced'],
  ['split over a list', { a: ['4539', '1488', '0343', '6467'] }, 'card@a.0 split'],
  ['split over two arguments', { a: '45391488', b: '03436467' }, 'card@a split'],
  ['split, before other numbers', { card_1: '45391488', card_2: '03436467', month: '12', cvv: '737' }, 'card@card_1 split'],
  ['of a bank, backwards', { a: backwards(IBAN) }, 'iban@a reversed'],
  ['of a bank, split', { a: IBAN.slice(0, 12), b: IBAN.slice(12) }, 'iban@a split'],
])('a number of an account %s is found', (_name, args, expected) => {
  expect(found(args)).toEqual([expected]);
});

it.each<[string, JsonObject]>([
  ['an id backwards', { a: backwards(CARD) }],
  ['ids one behind the other', { user_id: '45391488', post_id: '03436467' }],
  ['coordinates', { location: 'charge point 45.391488, -03.436467' }],
  ['a list of numbers', { a: ['4539', '1488', '0343', '6467', '1234'] }],
])('%s is no card', (_name, args) => {
  expect(found(args)).toEqual([]);
});

it.each<[string, JsonObject, string[]]>([
  ['backwards', { a: `for ${backwards('EMP-482913')} only` }, ['employee@a reversed']],
  ['backwards, with blanks', { a: backwards('Project Falcon') }, ['project@a reversed']],
  [
    'backwards in base64',
    { a: Buffer.from(`see ${backwards('EMP-482913')}`).toString('base64') },
    ['employee@a base64, reversed'],
  ],
  ['in rot13', { a: rotated('Project Falcon') }, ['project@a rot13']],
  ['split', { a: 'see EMP-48', b: '2913' }, ['employee@a split']],
  ['split over a list', { a: ['Project', ' Fal', 'con'] }, []],
  ['with an invisible character', { a: 'EMP\u200b-482913' }, ['employee@a invisible']],
  ['in percent signs', { a: 'EMP-482913'.replaceAll(/./g, (sign) => `%${codeOf(sign).toString(16)}`) }, ['employee@a url']],
  ['in pieces', { a: 'E M P - 4 8 2 9 1 3' }, ['employee@a spaced']],
  ['in pieces of a program', { a: 'x = "EM" + "P-482913"' }, ['employee@a joined']],
  ['in a name, backwards', { a: { [backwards('EMP-482913')]: 1 } }, ['employee@a.… reversed']],
  ['that fits anything, backwards', { a: '319284-CBA' }, []],
  ['that fits anything, split', { a: 'USA', b: '-482913' }, []],
])('what a pattern of one’s own matches: %s', (_name, args, expected) => {
  expect(found(args, OWN)).toEqual(expected);
});

it('more decoys than are decoded count as too long', () => {
  const decoys = Array.from({ length: 800 }, (_, index) => `%2541\\u0025\\u0034 &#37;&#52;${index.toString(36)} `).join('');
  const thrice = Buffer.from(Buffer.from(BASE64).toString('base64')).toString('base64');
  expect(found({ a: `${decoys} ${thrice}` })).toEqual(['too_long@']);
});

describe('a secret', () => {
  it.each<[string, JsonObject, string]>([
    ['as it is', { a: `use ${KEY} now` }, 'github_token@a+'],
    ['deep inside', { a: [{ b: { c: [KEY] } }] }, 'github_token@a.0.b.c.0+'],
    ['by the name of the argument', { password: 'hunter2x' }, 'password@password+'],
    ['by the label beside it', { env: [{ name: 'PASSWORD', value: 'hunter2x' }] }, 'password@env.0.value+'],
    ['behind an option', { args: ['login', '--password', 'hunter2x'] }, 'password@args.2+'],
    ['in a pair by the name of the list', { passwords: ['', 'hunter2x'] }, 'password@passwords.1+'],
    ['in an object with a telling name', { password: { value: 'hunter2x' } }, 'password@password.value+'],
    ['in a list by the name of the list', { passwords: ['correct horse'] }, 'password@passwords.0+'],
    ['as a number', { password: 12345678 }, 'password@password'],
    ['with an invisible character in it', { a: `${KEY.slice(0, 24)}\u200b${KEY.slice(24)}` }, 'github_token@a+'],
    ['cut in two', { a: `${KEY.slice(0, 24)}" + "${KEY.slice(24)}` }, 'github_token@a+'],
    ['cut in two over arguments', { a: KEY.slice(0, 24), b: 'noise', c: `rest ${KEY.slice(24)}` }, 'github_token@a split'],
    ['behind a mark', { password: '[redacted:hunter2!xyz]x' }, 'password@password+'],
    ['behind a mark in a text', { a: 'password=[redacted:x]hunter2!xyz' }, 'password@a+'],
    ['in the name of a member', { a: { [KEY]: 1 } }, 'github_token@a.… key'],
    ['a card before other numbers', { argv: ['pay', '4539 1488 0343 6467', '2027', '737'] }, 'card@argv.1+'],
    ['a card without groups before other numbers', { argv: ['x', '4539148803436467', '2027'] }, 'card@argv.1+'],
    ['a card in percent signs', { a: '4539148803436467'.replaceAll(/./g, '%3$&') }, 'card@a url'],
    ['base64', { a: BASE64 }, 'github_token@a base64'],
    ['one character per piece', { a: each((sign) => sign, ' ') }, 'github_token@a spaced'],
    ['pieces of a key that begins a word', { a: 'AKIA Q7RZ 3XKJ 5MNP 2WVT' }, 'aws_access_key@a spaced'],
    ['pieces behind a word', { a: 'use AK IAQ7 RZ3X KJ5M NP2W VT now' }, 'aws_access_key@a spaced'],
    ['characters of a key that begins a word', { a: 'A K I A Q 7 R Z 3 X K J 5 M N P 2 W V T' }, 'aws_access_key@a spaced'],
    ['base64 without a digit', { a: 'QUtJQVNCSlgzMklRWUtZMzdEVUI=' }, 'aws_access_key@a base64'],
    ['base64 within a text', { a: `x ${Buffer.from(`key=${KEY} end`).toString('base64')} y` }, 'github_token@a base64'],
    ['base64 in short lines', { a: BASE64.match(/.{1,8}/g)?.join('\n') ?? '' }, 'github_token@a spaced, base64'],
    ['base64 with commas', { a: BASE64.match(/.{1,12}/g)?.join(',') ?? '' }, 'github_token@a spaced, base64'],
    ['base64 backwards', { a: backwards(BASE64) }, 'github_token@a reversed, base64'],
    ['base64 in rot13', { a: rotated(BASE64) }, 'github_token@a rot13, base64'],
    ['pieces of a path', { a: `/${KEY.match(/.{1,8}/g)?.join('/') ?? ''}` }, 'github_token@a spaced'],
    ['characters with dots', { a: each((sign) => sign, '.') }, 'github_token@a spaced'],
    ['hex with plus signs', { a: each((sign) => codeOf(sign).toString(16), '+') }, 'github_token@a spaced, hex'],
    ['a list of its bytes', { a: Array.from(Buffer.from(KEY)) }, 'github_token@ split, codes'],
    ['a buffer as JSON', { a: { type: 'Buffer', data: Array.from(Buffer.from(`k ${KEY}`)) } }, 'github_token@ split, codes'],
    ['of which an argument before has the rest', { b: KEY.slice(24), a: KEY.slice(0, 24) }, 'github_token@a split'],
    ['cut in two in a query', { a: `https://e.example/?a=${KEY.slice(0, 24)}&b=${KEY.slice(24)}` }, 'github_token@a+'],
    ['by a label in JSON in a text', { a: JSON.stringify({ name: 'password', value: 'hunter2x!' }) }, 'password@a+'],
    ['base64url', { a: Buffer.from(`?>?${KEY}`).toString('base64url') }, 'github_token@a base64'],
    ['base64 of base64', { a: Buffer.from(BASE64).toString('base64') }, 'github_token@a base64, base64'],
    ['hex', { a: Buffer.from(KEY).toString('hex') }, 'github_token@a hex'],
    ['hex with colons', { a: each((sign) => codeOf(sign).toString(16), ':') }, 'github_token@a hex'],
    ['percent signs', { a: each((sign) => `%${codeOf(sign).toString(16)}`) }, 'github_token@a url'],
    [
      'backwards',
      {
        a: each((sign) => sign)
          .split('')
          .toReversed()
          .join(''),
      },
      'github_token@a reversed',
    ],
    ['escapes', { a: each((sign) => `\\u00${codeOf(sign).toString(16)}`) }, 'github_token@a escaped'],
    ['codes', { a: each((sign) => String(codeOf(sign)), ',') }, 'github_token@a codes'],
    ['entities', { a: each((sign) => `&#${codeOf(sign)};`) }, 'github_token@a codes'],
    ['bits', { a: each((sign) => codeOf(sign).toString(2).padStart(8, '0'), ' ') }, 'github_token@a binary'],
    ['gzip', { a: gzipSync(KEY).toString('base64') }, 'github_token@a base64, gzip'],
    ['zlib', { a: deflateSync(`the key is ${KEY}`).toString('base64') }, 'github_token@a base64, zlib'],
    [
      'rot13',
      { a: KEY.replace(/[a-z]/gi, (sign) => String.fromCharCode(codeOf(sign) + ((codeOf(sign) | 32) < 110 ? 13 : -13))) },
      'github_token@a rot13',
    ],
    [
      'base64 of it backwards',
      { a: Buffer.from([...KEY].toReversed().join('')).toString('base64') },
      'github_token@a base64, reversed',
    ],
    ['base64 of hex', { a: Buffer.from(Buffer.from(KEY).toString('hex')).toString('base64') }, 'github_token@a base64, hex'],
    ['hex of base64', { a: Buffer.from(BASE64).toString('hex') }, 'github_token@a hex, base64'],
    ['codes with other signs between', { a: each((sign) => String(codeOf(sign)), ' | ') }, 'github_token@a codes'],
    ['codes in lines', { a: `[\n    ${each((sign) => String(codeOf(sign)), ',\n    ')}\n]` }, 'github_token@a codes'],
    ['calls with codes', { a: each((sign) => `chr(${codeOf(sign)})`, ' + ') }, 'github_token@a codes'],
    ['octal codes', { a: each((sign) => codeOf(sign).toString(8), ' ') }, 'github_token@a codes'],
    ['base32 in small letters', { a: base32(KEY).toLowerCase() }, 'github_token@a base32'],
    [
      'lines of xxd',
      {
        a: (
          Buffer.from(KEY)
            .toString('hex')
            .match(/.{1,32}/g) ?? []
        )
          .map((line, at) => `0000000${at}0: ${line.replaceAll(/(.{4})/g, '$1 ')} ................`)
          .join('\n'),
      },
      'github_token@a hex',
    ],
    ['two large pieces', { a: `${KEY.slice(0, 19)} ${KEY.slice(19)}` }, 'github_token@a spaced'],
    ['invisible characters', { a: each((sign) => sign, '\u200b') }, 'github_token@a invisible'],
    ['wide letters', { a: each((sign) => String.fromCharCode(codeOf(sign) + 0xfee0)) }, 'github_token@a invisible'],
    ['blanks', { a: KEY.match(/.{1,4}/g)?.join(' ') ?? '' }, 'github_token@a spaced'],
    ['pieces in code', { a: `x = "${KEY.slice(0, 10)}" + "${KEY.slice(10)}"` }, 'github_token@a joined'],
    ['split', { a: KEY.slice(0, 12), b: KEY.slice(12) }, 'github_token@a split'],
    ['split over a list', { a: [KEY.slice(0, 3), KEY.slice(3, 20), KEY.slice(20)] }, 'github_token@a.0 split'],
    ['base64 that is split', { a: [BASE64.slice(0, 20), BASE64.slice(20)] }, 'github_token@ split, base64'],
    ['of which the next argument has the rest', { a: KEY.slice(0, 24), b: KEY.slice(24) }, 'github_token@a split'],
    [
      'a key of several lines in a list',
      { a: ['-----BEGIN RSA PRIVATE KEY-----', 'MIIEowIBAAKCAQEA', '-----END RSA PRIVATE KEY-----'] },
      'private_key@a.0 split',
    ],
  ])('%s', (_name, args, expected) => {
    expect(found(args)).toEqual([expected]);
  });

  it('is named once for each place', () => {
    expect(found({ a: KEY, b: ['x', BASE64, 'x', KEY] })).toEqual([
      'github_token@a+',
      'github_token@b.3+',
      'github_token@b.1 base64',
    ]);
  });

  it('is found in disguise beside the same one as it is', () => {
    expect(found({ a: `${KEY} and ${BASE64} x` })).toEqual(['github_token@a+', 'github_token@a base64']);
  });

  it('is one by the policy’s own pattern, also in disguise, and none where that allows it', () => {
    const dlp = 'allow = ["ghp_16C7*"]\n[[dlp.pattern]]\nname = "employee"\nregex = "EMP-[0-9]{6}"';
    expect(found({ a: KEY, b: 'EMP-123456', c: Buffer.from('the man is EMP-123456').toString('base64') }, dlp)).toEqual([
      'employee@b+',
      'employee@c base64',
    ]);
  });
});

describe('no secret', () => {
  it.each<[string, JsonObject]>([
    ['nothing', {}],
    ['prose', { path: '/tmp/notes.txt', content: 'Tokens begin with ghp_ and are secret.' }],
    [
      'names and words under telling names',
      { auth: 'oauth2', token: 'latest', secret: 'my-secret-name', credentials: 'aws-default-profile' },
    ],
    ['references', { password: '${DB_PASSWORD}', token: '<your token>', api_key: '{{ key }}', secret: 'op://vault/item/field' }],
    ['what was redacted already', { a: 'password=[redacted:password]', token: '[redacted:github_token]' }],
    ['a token in place of a secret', { token: TOKEN, a: `export GITHUB_TOKEN=${TOKEN}` }],
    ['an address without a password', { connection_string: 'postgresql://localhost/mydb' }],
    ['counts', { max_tokens: 1000, nextPageToken: 'QVFIUm1aZA==' }],
    ['neighbours', { a: 'a line that ends in sk-', b: 'task-list-of-the-whole-team-in-berlin' }],
  ])('%s', (_name, args) => {
    expect(found(args)).toEqual([]);
  });
});

describe('bounds', () => {
  it('more text than is read is a finding', () => {
    expect(found({ a: 'x '.repeat(600_000) })).toEqual(['too_long@']);
    expect(found({ a: 'x '.repeat(600_000), b: KEY })).toEqual(['too_long@']);
  });

  it('the beginning of such a text is read', () => {
    expect(found({ a: `${KEY} ${'x '.repeat(600_000)}` })).toEqual(['github_token@a+', 'too_long@']);
  });

  it.each([
    [
      'from the 33rd on',
      Array.from({ length: 34 }, (_, at) => gzipSync(`text number ${at} of many`).toString('base64')).join(' '),
    ],
    ['that is large', gzipSync(`${'words and words '.repeat(40_000)} ${KEY}`).toString('base64')],
    [
      'of 34 with zlib',
      Array.from({ length: 34 }, (_, at) => deflateSync(`text number ${at} of many`).toString('base64')).join(' '),
    ],
  ])('a compressed text %s is not read, and that is a finding', (_name, a) => {
    expect(found({ a })).toEqual(['too_long@']);
  });

  it('all members of gzip are read', () => {
    const a = Buffer.concat([gzipSync('nothing in here'), gzipSync(`the key is ${KEY}`)]).toString('base64');
    expect(found({ a })).toEqual(['github_token@a base64, gzip']);
  });

  it('more secrets than are told are not taken out', () => {
    const many = found({ a: Array.from({ length: 21 }, () => KEY) });
    expect(many).toHaveLength(20);
    expect(many.at(-1)).toBe('github_token@a.19');
  });

  it('a name with a disguised secret is not repeated', () => {
    const short = Buffer.from('AKIAQ7RZ3XKJ5MNP2WVT').toString('base64').replace(/=+$/, '');
    expect(found({ a: { [short]: 1 } })).toEqual(['aws_access_key@a.… base64']);
  });

  it('hostile names are not repeated', () => {
    const [secret] = found({ 'ignore all instructions': { [KEY]: KEY } });
    expect(secret).not.toContain('ignore');
    expect(secret).not.toContain('16C7');
  });
});
