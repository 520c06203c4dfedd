import { expect, it } from 'vitest';
import { attempt, denying, readFile, useSandbox } from '../support/attempt.ts';

/** Tools that read many files expand what they are given as a shell does: `~/.ss*` has no name in it that a rule denies, and opens one. */
const sandbox = useSandbox();

it('nor one that the rule gives only the beginning of', async () => {
  const { reached } = await attempt(sandbox.current, denying('args."**" = ["**/.kube/config*", "**/.vault_pass*"]'), [
    readFile({ paths: ['~/.kube/confi?'] }, 1),
    readFile({ paths: ['~/.vault_p*s'] }, 2),
    readFile({ paths: ['~/.kube/cach?', '~/.vault/p*s'] }, 3),
  ]);
  expect(reached).toEqual([3]);
});

it('wildcards and braces in a path hide no name that a rule denies', async () => {
  const { reached } = await attempt(sandbox.current, denying('args."**" = "**/.ssh/**"'), [
    readFile({ paths: ['~/.ss*/id_*'] }, 1),
    readFile({ paths: ['/home/u/.s?h/k'] }, 2),
    readFile({ paths: ['/home/u/.{ssh,x}/k'] }, 3),
    readFile({ paths: ['/home/u/.*/k'] }, 4),
    readFile({ paths: ['src/**/*.ts', '.github/*', 'docs/s*'], exclude: ['.ss*/**'] }, 5),
  ]);
  expect(reached).toEqual([5]);
});

it('nor do wildcards at its start, or the choices of JavaScript and Bash', async () => {
  const { reached } = await attempt(sandbox.current, denying('args."**" = "**/.kube/config"'), [
    readFile({ paths: ['~/.kube/c?nfig'] }, 1),
    readFile({ paths: ['~/.kube/[c]onfig'] }, 2),
    readFile({ paths: ['~/.kube/@(config|x)'] }, 3),
    readFile({ paths: ['~/.kube/?(config)'] }, 4),
    readFile({ paths: ['~/.kube/(x)', '~/.kube/c?fig', 'docs/(config)'] }, 5),
  ]);
  expect(reached).toEqual([5]);
});
