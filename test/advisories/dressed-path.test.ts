import { expect, it } from 'vitest';
import { attempt, denying, readFile, useSandbox } from '../support/attempt.ts';

/**
 * What protects clawai itself took a text for a path only as it stood. Servers strip quotes and white space, line numbers (`file:12`),
 * queries, a mention's `@`, and read URIs of their own (`sqlite:///…`), so each of these led to the policy.
 */
const sandbox = useSandbox();

it('what is around a path does not hide it', async () => {
  const { current } = sandbox;
  const own = `${current.folder}/config/clawai/policy.toml`;
  const dressed = [
    ` ${own}`,
    `${own}\n`,
    `"${own}"`,
    `'${own}'`,
    `@${own}`,
    `${own}:12`,
    `${own}:12:3`,
    `${own}?x=1`,
    `${own}#L1`,
    `/tmp/x,${own}`,
    `sqlite://${own}`,
    `sqlite:///${own}`,
    `vscode://file${own}`,
  ];
  const messages = dressed.map((path, i) => readFile({ path }, i));
  const { reached } = await attempt(current, denying('args.path = "never"'), [
    ...messages,
    readFile({ path: ' "/tmp/x:12" ' }, 'other'),
  ]);
  expect(reached).toEqual(['other']);
});

it('nor does it hide a path from a rule', async () => {
  const secret = '/home/u/.netrc';
  const dressed = [
    ` ${secret}`,
    `${secret}\n`,
    `"${secret}"`,
    `'${secret}' `,
    `${secret}:12`,
    `${secret}:12:3`,
    `${secret}#L1-L9`,
    '"$HOME/.netrc"',
  ];
  const long = `${secret}${' '.repeat(80_000)}`;
  const messages = [...dressed, long].map((path, i) => readFile({ path }, i));
  const { reached } = await attempt(sandbox.current, denying('args."**" = "**/.netrc"'), [
    ...messages,
    readFile({ path: ' "/tmp/x:12" ' }, 'other'),
  ]);
  expect(reached).toEqual(['other']);
});

it('nor does a list of paths, a query, a variable or what a file system passes over', async () => {
  const secret = '/home/u/.netrc';
  const dressed = [
    `${secret},README.md`,
    `${secret};x=1`,
    `README.md\n${secret}\nLICENSE`,
    `${secret}:/x:ro`,
    `type=bind,source=${secret},target=/x`,
    `['${secret}']`,
    `<${secret}>`,
    `${secret}?raw??`,
    `http://localhost:5173/@fs${secret}?import&raw`,
    `http://localhost/read?path=${encodeURIComponent(secret)}&line=1`,
    '$XDG_CONFIG_HOME/secret.txt',
    // oxlint-disable-next-line no-template-curly-in-string
    '${env:HOME}/.config/secret.txt',
    '%APPDATA%/../../.config/secret.txt',
    '/home/u/.net\u200drc',
  ];
  const messages = dressed.map((path, i) => readFile({ path }, i));
  const { reached } = await attempt(sandbox.current, denying('args."**" = ["**/.netrc", "~/.config/secret.txt"]'), [
    ...messages,
    readFile({ path: 'a.netrc,b', mount: '/tmp/x:/y:ro', url: 'http://localhost/?q=.netrc2&x=1', fields: 'a,netrc' }, 'other'),
  ]);
  expect(reached).toEqual(['other']);
});
