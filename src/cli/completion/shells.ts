import type { CompletedCommand, Values, CompletedFlag } from './describe-commands.ts';

/** A script for bash 4 and later; it needs no bash-completion. */
export function bashScript(commands: readonly CompletedCommand[]): string {
  const values = casesOf(commands, offerInBash);
  const words = commands.map(
    ({ name, flags, next, words: own }) =>
      `    ${quote(name)}) flags=${quote(flags.flatMap(flagNames).join(' '))}; words=${quote(wordsOf(next, own).join(' '))}${
        typeof own === 'string' && own !== 'any' ? `; kind=${own}` : ''
      } ;;`,
  );
  return `# Completions of clawai for bash: eval "$(clawai completion bash)"
_clawai_files() { compopt -o filenames 2>/dev/null; mapfile -t COMPREPLY < <(compgen "$1" -- "$cur"); }
_clawai_words() { mapfile -t COMPREPLY < <(compgen -W "$1" -- "$cur"); }
_clawai() {
  local cur=\${COMP_WORDS[COMP_CWORD]} prev=\${COMP_WORDS[COMP_CWORD-1]} path='' flags='' words='' kind='' i
  COMPREPLY=()
  # Bash cuts --flag=value in three.
  if [[ $cur == '=' ]]; then cur=''; elif [[ $prev == '=' ]]; then prev=\${COMP_WORDS[COMP_CWORD-2]}; fi
  for ((i = 1; i < COMP_CWORD; i++)); do
    if [[ \${COMP_WORDS[i]} == -- ]]; then
      if ((i == COMP_CWORD - 1)); then mapfile -t COMPREPLY < <(compgen -c -- "$cur"); else _clawai_files -f; fi
      return
    fi
  done
  for ((i = 1; i < COMP_CWORD; i++)); do
    case "$path\${path:+ }\${COMP_WORDS[i]}" in
      ${commands.flatMap(({ name }) => (name === '' ? [] : [quote(name)])).join('|')}) path="$path\${path:+ }\${COMP_WORDS[i]}" ;;
      help) ;;
      *) break ;;
    esac
  done
  case "$path $prev" in
${values.join('\n')}
  esac
  case "$path" in
${words.join('\n')}
  esac
  if [[ $cur == -* ]]; then _clawai_words "$flags"; return; fi
  case "$kind" in
    files) _clawai_files -f; return ;;
    folders) _clawai_files -d; return ;;
    servers) words="$words $(clawai completion servers 2>/dev/null)" ;;
  esac
  _clawai_words "$words"
}
complete -F _clawai clawai
`;
}

/** The case of each flag with a value, for bash and zsh. */
function casesOf(commands: readonly CompletedCommand[], offer: (values: Values) => string): readonly string[] {
  return commands.flatMap(({ name, flags }) =>
    flags.flatMap((flag) => {
      if (flag.values === undefined) return [];
      const names = flagNames(flag).map((each) => quote(`${name} ${each}`));
      return [`    ${names.join('|')}) ${offer(flag.values)}; return ;;`];
    }),
  );
}

function offerInBash(values: Values): string {
  if (values === 'files') return '_clawai_files -f';
  if (values === 'folders') return '_clawai_files -d';
  if (values === 'servers') return '_clawai_words "$(clawai completion servers 2>/dev/null)"';
  return values === 'any' ? ':' : `_clawai_words ${quote(values.join(' '))}`;
}

/** A script for zsh, to be found as `_clawai` in `$fpath`, or to be evaluated after `compinit`. */
export function zshScript(commands: readonly CompletedCommand[]): string {
  const values = casesOf(commands, offerInZsh);
  const words = commands.map(({ name, flags, next, words: own }) => {
    const choices = [...next, ...(typeof own === 'string' ? [] : own.map((word) => [word, ''] as const))];
    return `    ${quote(name)})
      flags=(${flags.flatMap(describeInZsh).join(' ')})
      words_=(${choices.map(([word, text]) => quote(text === '' ? word : `${word}:${text}`)).join(' ')})
      ${typeof own === 'string' && own !== 'any' ? `kind=${own} ` : ''};;`;
  });
  return `#compdef clawai
_clawai() {
  local path_='' kind='' i
  local -a flags words_
  for ((i = 2; i < CURRENT; i++)); do
    if [[ $words[i] == -- ]]; then
      if ((i == CURRENT - 1)); then _command_names; else _files; fi
      return
    fi
  done
  for ((i = 2; i < CURRENT; i++)); do
    case "$path_\${path_:+ }$words[i]" in
      ${commands.flatMap(({ name }) => (name === '' ? [] : [quote(name)])).join('|')}) path_="$path_\${path_:+ }$words[i]" ;;
      help) ;;
      *) break ;;
    esac
  done
  local prev=$words[CURRENT-1]
  if [[ $PREFIX == --*=* ]]; then prev=\${PREFIX%%=*}; compset -P 1 '*='; fi
  case "$path_ $prev" in
${values.join('\n')}
  esac
  case "$path_" in
${words.join('\n')}
  esac
  if [[ $PREFIX == -* ]]; then _describe -o flag flags; return; fi
  case "$kind" in
    files) _files; return ;;
    folders) _files -/; return ;;
    servers) words_+=(\${(f)"$(clawai completion servers 2>/dev/null)"}) ;;
  esac
  _describe word words_
}
if [[ $funcstack[1] == _clawai ]]; then _clawai "$@"; else compdef _clawai clawai; fi
`;
}

function describeInZsh(flag: CompletedFlag): readonly string[] {
  return flagNames(flag).map((name) => quote(`${name}:${flag.description}`));
}

function offerInZsh(values: Values): string {
  if (values === 'files') return '_files';
  if (values === 'folders') return '_files -/';
  if (values === 'servers') return 'compadd -- ${(f)"$(clawai completion servers 2>/dev/null)"}';
  return values === 'any' ? ':' : `compadd -- ${values.map(quote).join(' ')}`;
}

/** A script for fish 3 and later. */
export function fishScript(commands: readonly CompletedCommand[]): string {
  const names = commands.flatMap(({ name }) => (name === '' ? [] : [quoteInFish(name)]));
  const lines = commands.flatMap(({ name, flags, next, words }) => {
    const at = `complete -c clawai -n ${quoteInFish(`__clawai_at ${quoteInFish(name)}`)}`;
    return [
      ...next.map(([word, summary]) => `${at} -a ${quoteInFish(word)} -d ${quoteInFish(summary)}`),
      ...(words === 'any' ? [] : [`${at} ${offerInFish(words)}`]),
      ...flags.map((flag) => `${at} ${flagInFish(flag)}`),
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

function flagInFish({ name, letter, description, values }: CompletedFlag): string {
  const names = `-l ${name}${letter === undefined ? '' : ` -s ${letter}`}`;
  // -x: a value, and no file.
  const value = values === undefined ? '' : ` ${values === 'files' ? '-r' : '-x'} ${offerInFish(values)}`;
  return `${names}${value} -d ${quoteInFish(description)}`;
}

function offerInFish(values: Values): string {
  if (values === 'files') return '-F';
  if (values === 'folders') return "-a '(__fish_complete_directories)'";
  if (values === 'servers') return "-a '(clawai completion servers 2>/dev/null)'";
  return values === 'any' ? '' : `-a ${quoteInFish(values.join(' '))}`;
}

/** A text as one word of fish. */
function quoteInFish(text: string): string {
  return `'${text.replaceAll('\\', '\\\\').replaceAll("'", String.raw`\'`)}'`;
}

/** A text as one word of bash and zsh. */
function quote(text: string): string {
  return `'${text.replaceAll("'", String.raw`'\''`)}'`;
}

/** `--limit`, and `-n` where it has a letter. */
function flagNames({ name, letter }: Pick<CompletedFlag, 'name' | 'letter'>): readonly string[] {
  return letter === undefined ? [`--${name}`] : [`--${name}`, `-${letter}`];
}

/** The words that are known before: next words of longer commands, and a list of values. */
function wordsOf(next: CompletedCommand['next'], values: Values): readonly string[] {
  return [...next.map(([word]) => word), ...(typeof values === 'string' ? [] : values)];
}
