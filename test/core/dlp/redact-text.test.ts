import { describe, expect, it } from 'vitest';
import { redactText } from '../../../src/core/dlp/redact-text.ts';
import { SECRET_SAMPLES } from './secret-samples.ts';

const MOST = 2048;

function redact(text: string): string {
  return redactText(text, MOST).text;
}

describe('secrets that show by their form', () => {
  it.each(SECRET_SAMPLES)('$kind: $secret', ({ kind, secret }) => {
    const mark = `[redacted:${kind}]`;
    expect(redact(secret)).toBe(mark);
    expect(redact(`run ${secret} now`)).toBe(`run ${mark} now`);
    expect(redact(`say "${secret}", please`)).toBe(`say "${mark}", please`);
    expect(redact(`<${secret}><${secret}>`)).toBe(`<${mark}><${mark}>`);
    for (const escape of [String.raw`\n`, String.raw`\ud83d`, '%20']) expect(redact(escape + secret)).toBe(escape + mark);
  });

  it.each([
    ['https://me:pa55@host/x', 'https://me:[redacted:url_password]@host/x'],
    ['redis://:pa55@host', 'redis://:[redacted:url_password]@host'],
    ['postgres://me:p@ss@host:5432/db', 'postgres://me:[redacted:url_password]@host:5432/db'],
    ['postgres://me:pa/ss@host/db', 'postgres://me:[redacted:url_password]@host/db'],
    ['"https:\\/\\/me:pa55@host"', '"https:\\/\\/me:[redacted:url_password]@host"'],
    [`https://${'ab12'.repeat(10)}@host`, 'https://[redacted:url_password]@host'],
    ['https://hooks.slack.com/services/T0/B0/abcdefghijklmnop', 'https://hooks.slack.com/services/[redacted:webhook]'],
    ['https://discord.com/api/webhooks/1234567890/abcdef_-x', 'https://discord.com/api/webhooks/[redacted:webhook]'],
    [
      `https://api.telegram.org/bot1234567890:AA${'x'.repeat(33)}/getMe`,
      'https://api.telegram.org/bot1234567890:[redacted:telegram_token]/getMe',
    ],
    ['use Bearer abc123def456 there', 'use Bearer [redacted:bearer_token] there'],
    ['machine h login me password pa55', 'machine h login me password [redacted:password]'],
    ['curl -u me:pa55 https://h', 'curl -u me:[redacted:password] https://h'],
    ['ps aux; curl -u me:pa55 https://h', 'ps aux; curl -u me:[redacted:password] https://h'],
    ['docker run -u root:root2 alpine', 'docker run -u root:root2 alpine'],
    ['ps -u root:root2', 'ps -u root:root2'],
    ['curl --user "me:pa55" https://h', 'curl --user "me:[redacted:password]" https://h'],
    ['mysql -h db -u root -ppa55 shop', 'mysql -h db -u root -p[redacted:password] shop'],
    ['sshpass -p pa55 ssh h', 'sshpass -p [redacted:password] ssh h'],
  ])('%s', (text, expected) => {
    expect(redact(text)).toBe(expected);
  });
});

describe('secrets that a name beside them shows', () => {
  it.each([
    ['PASSWORD=pa55 ./run', 'PASSWORD=[redacted:password] ./run'],
    ['PASSWORD="pa 55" ./run', 'PASSWORD="[redacted:password]" ./run'],
    [`PASSWORD=pa"5 5"'x' ./run`, 'PASSWORD=[redacted:password] ./run'],
    [`curl -H "Authorization: Basic cGE1NQ==" https://h`, `curl -H "Authorization: Basic [redacted:authorization]" https://h`],
    ['Authorization: pa 55\nHost: h', 'Authorization: [redacted:authorization]\nHost: h'],
    ['Cookie: a=1; sid=pa55\nHost: h', 'Cookie: [redacted:cookie]\nHost: h'],
    [`curl -H 'X-Api-Key: pa55' https://h`, `curl -H 'X-Api-Key: [redacted:api_key]' https://h`],
    ['run --token pa55 --verbose', 'run --token [redacted:token] --verbose'],
    ['run --api-key=pa55 --verbose', 'run --api-key=[redacted:api_key] --verbose'],
    ['run --token --verbose', 'run --token --verbose'],
    ['https://h/x?token=pa55&page=2', 'https://h/x?token=[redacted:token]&page=2'],
    ['https://h/x?a=1&sig=pa%2B55', 'https://h/x?a=1&sig=[redacted:signature]'],
    ['https://h/x?X-Amz-Signature=abc&a=1', 'https://h/x?X-Amz-Signature=[redacted:signature]&a=1'],
    ['Server=h;Password=pa&55;Database=d', 'Server=h;Password=[redacted:password];Database=d'],
    ['AccountName=n;AccountKey=pa55==;EndpointSuffix=s', 'AccountName=n;AccountKey=[redacted:access_key];EndpointSuffix=s'],
    ['{"user":"u","password":"p\\"5","n":1}', '{"user":"u","password":"[redacted:password]","n":1}'],
    ['{"pin":1,"token":12345,"n":1}', '{"pin":1,"token":[redacted:token]"n":1}'],
    ['"{\\"password\\":\\"p\\\\\\"5\\",\\"n\\":1}"', '"{\\"password\\":\\"[redacted:password]\\",\\"n\\":1}"'],
    ['"tokens": ["a1", "b2"], "n": 1', '"tokens": ["[redacted:token]", "[redacted:token]"], "n": 1'],
    ['password: pa55', 'password: [redacted:password]'],
    ['API key: pa55', 'API key: [redacted:api_key]'],
    ["config['api_key'] = 'pa55'", "config['api_key'] = '[redacted:api_key]'"],
    ['password: string = "pa55"', 'password: [redacted:password] = "[redacted:password]"'],
    [':password => "pa55"', ':password => "[redacted:password]"'],
    ['password="pa55', 'password="[redacted:password]'],
  ])('%s', (text, expected) => {
    expect(redact(text)).toBe(expected);
  });
});

describe('what is no secret', () => {
  it.each([
    'read /home/u/src/token.ts',
    'max_tokens=500',
    'author: me',
    'password=$DB_PASSWORD ./run',
    'TOKEN=${TOKEN}',
    'key: value',
    'https://h:8080/@scope/x',
    'https://h/x?page=2',
    'docker run -u 1000:1000 x',
    'the password is in the safe',
    'risk-assessment-of-the-day',
    'a == b ? c : d',
    'eyJhIjoxfQ',
    'Bearer of bad news',
    '-----BEGIN CERTIFICATE-----\nMIIB\n-----END CERTIFICATE-----',
    'AKIA',
    '',
    'password=',
  ])('%s', (text) => {
    expect(redactText(text, MOST)).toEqual({ text, isCut: false, read: text.length });
  });
});

describe('overlaps', () => {
  it('are one mark, called after the form', () => {
    const { secret } = SECRET_SAMPLES[0] ?? { secret: '' };
    expect(redact(`GITHUB_TOKEN=${secret} ls`)).toBe('GITHUB_TOKEN=[redacted:github_token] ls');
    expect(redact(`password="a ${secret} b" ls`)).toBe('password="[redacted:github_token]" ls');
  });

  it('nothing is redacted twice', () => {
    for (const { secret } of SECRET_SAMPLES) expect(redact(redact(`x ${secret} y`))).toBe(redact(`x ${secret} y`));
  });
});

describe('cutting', () => {
  it('says how much is missing', () => {
    expect(redactText('é'.repeat(50), 40)).toEqual({ text: `${'é'.repeat(40)}…(10 more)`, isCut: true, read: 50 });
    expect(redactText('x'.repeat(40), 40)).toEqual({ text: 'x'.repeat(40), isCut: false, read: 40 });
  });

  it.each(SECRET_SAMPLES)('leaves no part of a secret that stands at the cut: $kind $secret', ({ kind, secret }) => {
    const middle = Math.floor(secret.length / 2);
    for (const before of [0, 1, 4, 8, middle, secret.length - 1]) {
      const text = `${' '.repeat(100)}${secret} ${'tail '.repeat(1000)}`;
      const { text: redacted, isCut } = redactText(text, 100 + before);
      expect(isCut).toBe(true);
      expect(redacted.trimStart()).toMatch(before === 0 ? /^…\(/ : new RegExp(`^\\[redacted:${kind}\\]…\\(`));
    }
  });

  it.each([
    ['a JWT of many thousands', `ey${'Jhb'.repeat(5000)}.ey${'Jhb'.repeat(5000)}.sig`],
    ['a password in a URL without an end in sight', `https://me:${'pa55'.repeat(5000)}@host`],
    ['a token for a user', `https://${'pa55'.repeat(5000)}@host`],
    ['a private key', `-----BEGIN PRIVATE KEY-----\n${'pa55\n'.repeat(5000)}-----END PRIVATE KEY-----`],
    ['a quoted value', `password="${'pa55 55'.repeat(5000)}"`],
    ['a bare value', `password=${'pa55'.repeat(5000)}`],
  ])('%s that is longer than what is looked at', (_what, secret) => {
    const { text } = redactText(`${' '.repeat(2000)}${secret}`, MOST);
    expect(text).toMatch(/\[redacted:\w+\]/);
    expect(text).not.toMatch(/pa55|Jhb| 55/);
  });

  it('a long URL keeps what is no secret', () => {
    const { text } = redactText(`https://host.example/find?q=${'x'.repeat(5000)}`, 40);
    expect(text).toBe(`https://host.example/find?q=${'x'.repeat(12)}…(4988 more)`);
  });

  it('reads no more than it keeps and a little', () => {
    const text = JSON.parse(`"${'password=x '.repeat(3_000_000)}"`) as string;
    expect(redactText(text, MOST).isCut).toBe(true);
  });
});

describe('ill-formed Unicode', () => {
  it.each([
    ['\ud800', '\ufffd'],
    ['a\udc00b', 'a\ufffdb'],
    ['password=\ud800 \udc00', 'password=[redacted:password] \ufffd'],
  ])('is made well-formed', (text, expected) => {
    expect(redact(text)).toBe(expected);
  });

  it('a cut through a pair is none', () => {
    expect(redactText('😀'.repeat(50), 41).text.isWellFormed()).toBe(true);
  });
});
