import { flagNames, quote, wordsOf } from './quote.ts';
import type { CompletedCommand, Values } from './describe-commands.ts';

/** A script for bash 4 and later; it needs no bash-completion. */
export function bashScript(commands: readonly CompletedCommand[]): string {
  const values = commands.flatMap(({ name, flags }) =>
    flags.flatMap((flag) =>
      flag.values === undefined
        ? []
        : [
            `    ${flagNames(flag)
              .map((each) => quote(`${name} ${each}`))
              .join('|')}) ${offer(flag.values)}; return ;;`,
          ],
    ),
  );
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

function offer(values: Values): string {
  if (values === 'files') return '_clawai_files -f';
  if (values === 'folders') return '_clawai_files -d';
  if (values === 'servers') return '_clawai_words "$(clawai completion servers 2>/dev/null)"';
  return values === 'any' ? ':' : `_clawai_words ${quote(values.join(' '))}`;
}
