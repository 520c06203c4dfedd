import { expect, it } from 'vitest';
import { allowing, attempt, denying, readFile, useSandbox } from '../support/attempt.ts';

/**
 * One URL has many spellings: case, the scheme's own port, numeric hosts, missing slashes, white space. A denied URL was only
 * denied as the policy spells it, and in an allowed `https://*.example.com/**` the star took a whole other host with a `#`.
 */
const sandbox = useSandbox();

it('a denied URL is denied in every spelling', async () => {
  const spellings = [
    'http://169.254.169.254/latest',
    'HTTP://169.254.169.254/latest',
    'http://169.254.169.254:80/latest',
    'http://0xa9fea9fe/latest',
    'http://2852039166/latest',
    'http:169.254.169.254/latest',
    'http:\\\\169.254.169.254\\latest',
    ' http://169.254.169.254/latest',
    'ht\ntp://169.254.169.254/latest',
    'http://user:pw@169.254.169.254/latest',
    'http://169.254.169.254./latest',
    'HTTP://a@2852039166:80/latest',
  ];
  const calls = spellings.map((path, i) => readFile({ path }, i));
  const other = readFile({ path: 'http://169.254.169.253/latest' }, 'other');
  const { reached } = await attempt(sandbox.current, denying('args.path = "http://169.254.169.254/**"'), [...calls, other]);
  expect(reached).toEqual(['other']);
});

it('an allowed host is not what another URL has behind its own', async () => {
  const { reached } = await attempt(sandbox.current, allowing('args.path = "https://*.example.com/**"'), [
    readFile({ path: 'https://evil.test#.example.com/x' }, 1),
    readFile({ path: 'https://evil.test?.example.com/x' }, 2),
    readFile({ path: 'https://evil.test\\.example.com/x' }, 3),
    readFile({ path: 'https://a.example.com/grüße here?q=1' }, 4),
  ]);
  expect(reached).toEqual([4]);
});
