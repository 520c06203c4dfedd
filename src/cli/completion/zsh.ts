import type { CompletedCommand, CompletedFlag, Values } from './describe-commands.ts';
import { flagNames, quote } from './quote.ts';

/** A script for zsh, to be found as `_clawai` in `$fpath`, or to be evaluated after `compinit`. */
export function zshScript(commands: readonly CompletedCommand[]): string {
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
  const words = commands.map(({ name, flags, next, words: own }) => {
    const told = [...next, ...(typeof own === 'string' ? [] : own.map((word) => [word, ''] as const))];
    return `    ${quote(name)})
      flags=(${flags.flatMap(describeFlag).join(' ')})
      words_=(${told.map(([word, text]) => quote(text === '' ? word : `${word}:${text}`)).join(' ')})
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

function describeFlag(flag: CompletedFlag): readonly string[] {
  return flagNames(flag).map((name) => quote(`${name}:${flag.description}`));
}

function offer(values: Values): string {
  if (values === 'files') return '_files';
  if (values === 'folders') return '_files -/';
  if (values === 'servers') return 'compadd -- ${(f)"$(clawai completion servers 2>/dev/null)"}';
  return values === 'any' ? ':' : `compadd -- ${values.map(quote).join(' ')}`;
}
