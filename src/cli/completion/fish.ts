import type { CompletedCommand, CompletedFlag, Values } from './describe-commands.ts';

/** A script for fish 3 and later. */
export function fishScript(commands: readonly CompletedCommand[]): string {
  const names = commands.flatMap(({ name }) => (name === '' ? [] : [quote(name)]));
  const lines = commands.flatMap(({ name, flags, next, words }) => {
    const at = `complete -c clawai -n ${quote(`__clawai_at ${quote(name)}`)}`;
    return [
      ...next.map(([word, summary]) => `${at} -a ${quote(word)} -d ${quote(summary)}`),
      ...(words === 'any' ? [] : [`${at} ${offer(words)}`]),
      ...flags.map((flag) => `${at} ${formatFlag(flag)}`),
    ];
  });
  return `# Completions of clawai for fish: clawai completion fish > ~/.config/fish/completions/clawai.fish
function __clawai_at
  set -l names ${names.join(' ')}
  set -l path
  set -l words (commandline -opc)
  for word in $words[2..-1]
    test "$word" = help; and test -z "$path"; and continue
    contains -- (string join ' ' -- $path $word) $names; or break
    set -a path $word
  end
  contains -- -- $words; and return 1
  test (string join ' ' -- $path | string collect --allow-empty) = "$argv"
end
function __clawai_rest
  contains -- -- (commandline -opc)
end
complete -c clawai -f
complete -c clawai -n __clawai_rest -F -a '(__fish_complete_command)'
${lines.join('\n')}
`;
}

function formatFlag({ name, letter, description, values }: CompletedFlag): string {
  const names = `-l ${name}${letter === undefined ? '' : ` -s ${letter}`}`;
  // -x: a value, and no file.
  const value = values === undefined ? '' : ` ${values === 'files' ? '-r' : '-x'} ${offer(values)}`;
  return `${names}${value} -d ${quote(description)}`;
}

function offer(values: Values): string {
  if (values === 'files') return '-F';
  if (values === 'folders') return "-a '(__fish_complete_directories)'";
  if (values === 'servers') return "-a '(clawai completion servers 2>/dev/null)'";
  return values === 'any' ? '' : `-a ${quote(values.join(' '))}`;
}

/** A text as one word of fish. */
function quote(text: string): string {
  return `'${text.replaceAll('\\', '\\\\').replaceAll("'", String.raw`\'`)}'`;
}
