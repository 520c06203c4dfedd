/** Openings before the verb of a sentence that tells what a tool does. */
const OPENING = String.raw`(?:this tool (?:can )?|(?:use this )?tool (?:to|that|for) |use this to |allows? (?:you )?to |request to |propose a command to )?`;

/** Actions that precede the run, often on the same thing. */
const FIRST = String.raw`(?:(?:compiles?|builds?|creates?|writes?|inserts?|opens?|attach(?:es)?|installs?|downloads?|saves?)\b[^.!?]{0,40}?\band )?`;

const RUNNING =
  '(?:runs?|running|execut(?:es?|ing)|evaluat(?:es?|ing)|evals?|invokes?|launch(?:es)?|triggers?|spawns?|injects?|dispatch(?:es)?)';

/** Words between verb and object; a preposition would make the object a place or a purpose. */
const BETWEEN = String.raw`(?:(?!(?:on|in|for|from|with|without|by|of|against|using|over|through|via|at|to|and)\b)[\w'\x60/.#+-]+,? |or |and ){0,6}?`;

const RUN =
  '(?:commands?|command[- ]line|one-?liners?|shell|scripts?|code|snippets?|expressions?|programs?|process(?:es)?|binary|binaries|executables?|macros?|java ?script|' +
  'python|typescript|ruby|php|lua\\w*|apple ?script|powershell|cli|pipelines?|workflows?|builds?|playbooks?|notebooks?|cells?|tests|targets?|goals|recipes?|' +
  'menu items?|keyboard shortcuts?|hotkeys?|apps?|containers?|pods?)';

const RUNS = new RegExp(String.raw`^\W{0,3}${OPENING}${FIRST}${RUNNING} ${BETWEEN}${RUN}\b`, 'i');

/** Matches a sentence that runs one program and nothing else, as `Runs helm.`, or with any arguments. */
const RUNS_PROGRAM = new RegExp(
  String.raw`^${RUNNING} (?:the )?[\w./'-]{2,40}(?:'s)?(?: cli)?(?:\.?$| with (?:any |the |these |given )?(?:arguments|args|flags)\b)`,
  'i',
);

/** Matches a sentence about passing something on to a program that runs it. */
const PASSES_ON =
  /^(?:sends?|writes?|feeds?|pass(?:es)?|types?|enters?) (?:(?!to\b)[\w'/-]+ ){0,5}?(?:commands?|lines?|input|keys|keystrokes|characters|bytes|code|scripts?|\w*lisp|lua|expressions?) (?:[\w'/-]+ ){0,3}?(?:to|into) [^.]{0,60}\b(?:terminal|shell|session|process|console|device|pane|repl|interpreter|server|drawing|kernel)\b/i;

/** Matches a shell itself, one that is opened, and a function call in a program. */
const IS_SHELL =
  /^(?:(?:use|uses|using) (?:the )?[\w-]+ cli\b|(?:an?|the) (?:[\w-]+ ){0,3}(?:shell|repl|interpreter|terminal|console)\b(?! (?:output|history|log|messages))|(?:(?:attach|opens?|starts?)\b[^.]{0,30}\b)(?:interactive|remote) [^.]{0,30}\b(?:shell|terminal|session)\b|calls? (?:an?|any|the) (?:\w+ ){0,3}(?:function|method|procedure)s?\b|schedules? (?:an? )?(?:[\w-]+ ){0,3}(?:script|command)\b)/i;

/** Matches control of a desktop: with mouse and keyboard one can open a terminal on it. */
const CONTROLS = /\b(?:mouse and (?:a )?keyboard|controls? (?:a|the) (?:\w{1,20} )?(?:computer|desktop))\b/i;

/** Most characters of a description that its first sentence may take. */
const MOST_SENTENCE = 240;

/**
 * Tells whether the first sentence of a tool's description claims that it runs commands or code. The other sentences are about when, or for
 * what.
 */
export function describesRunning(description: string): boolean {
  const [sentence = ''] = description
    .slice(0, MOST_SENTENCE)
    .trimStart()
    .split(/(?<=[.!?])\s|\n/, 1);
  return [RUNS, RUNS_PROGRAM, PASSES_ON, IS_SHELL, CONTROLS].some((form) => form.test(sentence));
}
