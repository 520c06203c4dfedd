import { launchWords, programOf } from './program-of.ts';

type Environment = Readonly<NodeJS.ProcessEnv>;

/** A variable that is set, for `env` and in the lines of shells; PowerShell has its own word for it. */
const SETS = /^(?:\$env:)?([a-z_]\w*)=(.*)$/is;

/** Options that leave out variables, by the program that has them. `unset` has none: every name behind it is one. */
const REMOVES: Readonly<Record<string, RegExp>> = {
  env: /^(?:-[0iv]*u|--unset[= ]) ?(\w+)$/,
  unset: /^([a-z_]\w*)$/i,
};

/** Options that leave out all of them. */
const CLEARS: Readonly<Record<string, RegExp>> = {
  env: /^(?:-|-[0v]*i.*|--ignore-environment)$/,
  exec: /^-[al]*c/,
};

/** Programs that leave out all of them unless they are told otherwise. */
const CLEARING = /^(?:sudo|doas|systemd-run)$/;
const KEEPS = /^(?:-\w*E|--preserve-env.*|--scope)$/;

/**
 * The environment that a command gives to what it starts, as far as its words tell (`env -i A=b claude`, `sh -c 'A=b claude'`). Where it starts
 * several programs, what counts for one counts for those behind it.
 */
export function launchEnvironment(command: readonly string[], env: Environment): Environment {
  const words = launchWords(command);
  let after = new Map(Object.entries(env));
  let starter = '';
  for (const [at, word] of words.entries()) {
    const program = programOf(word);
    if (program === 'unset' || program === 'env' || program === 'exec') starter = program;
    if (CLEARS[starter]?.test(word) === true || (CLEARING.test(program) && !words.some((other) => KEEPS.test(other))))
      after = new Map();
    // The name is a word of its own, or part of the option.
    const before = words[at - 1] ?? '';
    const removed = REMOVES[starter]?.exec(word) ?? (starter === 'env' ? REMOVES['env']?.exec(`${before} ${word}`) : undefined);
    after.delete(removed?.[1] ?? '');
    const [, name = '', value = ''] = SETS.exec(word) ?? [];
    // A value that is made of itself leads where it did.
    if (name !== '' && !new RegExp(`[$%]\\{?${name}\\b`).test(value)) after.set(name, value);
  }
  return Object.fromEntries(after);
}
