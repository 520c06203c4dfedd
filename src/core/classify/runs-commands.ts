const words = (list: string): ReadonlySet<string> => new Set(list.split(' '));

/** Words for shells and commands. */
const SHELLS = words(
  'shell bash zsh fish sh dash ksh csh tcsh powershell pwsh cmd cmdline commandline command commands subprocess stdin terminal repl interpreter ' +
    'applescript osascript jxa iterm tmux wsl ssh sudo cli ipython oneliner pty tty popen psexec winrm autohotkey ahk launchctl crontab nohup cmdshell elisp',
);

/** Programs that build, test, install or deploy, and thereby run code of a project or a package. */
const TOOLCHAINS = words(
  'npm npx pnpm yarn pip pip3 pipx pipenv poetry conda mamba uv cargo cmake gradle gradlew maven mvn rake dotnet msbuild helm terraform tofu ansible ' +
    'vagrant docker podman modal compose brew apt apt-get yum dnf pacman choco winget pytest jest vitest mocha tox nox bazel drush composer pulumi mvn swift dbt nx turbo',
);

/** Actions on one of these. */
const DEPLOYING = words('apply install upgrade up build test tests publish add playbook adhoc hoc task serve ci deploy');

/** Installing these runs their code, whatever installs them. */
const PACKAGES = words('dependencies deps packages package requirements chart wheel gem crate');

/** Programs that do anything they are told. A tool with no other word in its name passes everything on to one. */
const PROGRAMS = words(
  'python python3 py node nodejs deno bun ruby perl php lua julia java rust swift kotlin rscript javascript js typescript ts groovy vba vbscript ' +
    'jupyter notebook kubectl k8s nerdctl aws gcloud az azure gh git uvx adb psql mysql redis mongo systemctl automator make lambda e2b lldb gdb awk rails console tinker artisan ' +
    'sandbox system os octave matlab frida unreal godot blender wasm codex claude aider opencode goose',
);

/** Words that tell nothing of a tool. */
const FILLING = words('tool tools mcp code');

const RUNNING = words('run runs runner execute executes executor execution exec eval evaluate');

/** Verbs that mean running only with a program. */
const USING = words('invoke call use launch spawn start');

/** Objects that are run if a verb of running stands with them. */
const RUN = words(
  'script scripts code program binary executable container pod playbook cell snippet process processes root file liner make makefile r go macro macros ' +
    'build builds compile test tests lint task tasks job project application app server background remote batch just menu configuration pods vm shortcut shortcuts exploit exploits',
);

/** Triggering one of these runs its code on another machine. */
const TRIGGERED = words(
  'pipeline pipelines build builds job jobs dag deployment workflow workflows macro macros automation function',
);

/** Verbs that trigger one. */
const TRIGGERING = words('trigger dispatch run execute invoke build rerun');

/** Creating one of these starts it. */
const STARTED = words('pipeline build');
const OF_STARTED = words('create new start queue retry play');

/** These are hardly ever nouns in names, or only of programs. */
const RUNNING_ANY = words('run execute exec eval invoke');

/** Objects that are run or executed and are no programs: queries, and inspections. */
const LOOKED_AT = words(
  'linter query queries search searches sql soql cypher statement mutation analysis analyses scan scans check checks report reports simulation request requests tool tools audit ' +
    'config configuration details detail info status result results list log logs history comparison evaluation assessment diagnostics inference prediction model ' +
    'transaction order trade payment swap plan step steps agent agents prompt action actions flow aggregation session',
);
/** Verbs that apply to a run, and run nothing. */
const OF_RUNS = words(
  'create new make add update set patch edit delete remove cancel finish save log count compare label analyze',
);

/** Pages and debuggers evaluate code. */
const EVALUATING = words('browser page tab frame dom debug debugger chrome puppeteer playwright selenium cdp');

/** A started debuggee runs, and takes further commands. */
const DEBUGGING = words('debugging debugger debuggee');

/** Verbs that start a process, or write its input. */
const STARTING = words('start launch spawn create interact send write input type feed');
const PROCESSES = words('process processes subprocess program executable keystrokes');

/** Programs that are started by name. */
const APPS = words('app application');

/** Verbs that only look at a shell, or end it. */
const LOOKING = words(
  'get list read search find show describe view check close kill stop end exit terminate cancel destroy delete remove explain suggest validate ' +
    'lint parse wait await poll monitor watch query fetch register review install help',
);

/** Words for a shell's properties, not its input. */
const ABOUT = words(
  'output outputs history log logs status info id ids list result results messages view wait kill help docs palette completions aliases metadata',
);

/** Queries are also run, by a database. */
const QUERIES = words('sql query queries');

const COMMANDS = words(
  'command commands cmd cmds cmdline cmd_line command_line commandline command_string command_text shell shell_command shell_cmd shell_script shell_code bash ' +
    'bash_command bash_cmd bash_script terminal_command run_command exec_command argv powershell powershell_script script python_script python_code py_code ' +
    'script_block script_body script_text script_content script_source javascript_code js_code code_to_execute code_to_run executable exec applescript osascript dockerfile dockerfile_content compose_yaml',
);

/** Last words of argument names that hold commands: `build_command`, `js_script`. */
const COMMANDS_LAST = words('command commands cmd cmds cmdline argv script scripts jsx');

/** Program code in some tools, and a country code in others: the tool's name tells which. */
const CODES = words(
  'code source source_code program snippet javascript python ruby js sql_block expression expr selection lisp goals recipe block line',
);
/** Words of argument names that hold code in a tool that runs: `r_code`, `code_block`. */
const CODE_WORDS = words('code snippet script');

const PROGRAM = words('program binary');
const ITS_ARGUMENTS = words('args arguments program_args program_arguments');

/** Parameters that stand beside a program to run. */
const BESIDE_CODE = words(
  'language lang language_id runtime timeout interpreter kernel packages dependencies stdin cwd working_dir working_directory workdir env',
);

/** Other uses of code. */
const LOOKING_AT_CODE = words(
  'format explain review analyze validate check detect generate convert translate search highlight render parse refactor',
);

/** Tools whose expressions are no programs. */
const RECKONING = words('math calculate formula');

/** Tells whether a tool's name says that it runs commands or code that it is given. @param name its words in lower case */
export function namesRunning(name: readonly string[]): boolean {
  const [first = ''] = name;
  const last = name.at(-1) ?? '';
  const has = (set: ReadonlySet<string>): boolean => name.some((word) => set.has(word));
  if (name.length === 2 && first === 'get' && SHELLS.has(last)) return true;
  if (first === 'install' && (has(TOOLCHAINS) || has(PACKAGES))) return true;
  if (name.length > 1 && (LOOKING.has(first) || ABOUT.has(last))) return false;
  if (has(SHELLS)) return true;
  if (name.some((word, index) => TRIGGERING.has(word) && TRIGGERED.has(name[index + 1] ?? '') && !isOfRuns(name))) return true;
  if (runsSomething(name)) return true;
  if (name.length > 1 && STARTED.has(last) && OF_STARTED.has(name.at(-2) ?? '')) return true;
  if (has(QUERIES)) return false;
  const isProgram = name.every(
    (word) => PROGRAMS.has(word) || TOOLCHAINS.has(word) || RUNNING.has(word) || USING.has(word) || FILLING.has(word),
  );
  if (isProgram && name.some((word) => !USING.has(word) && !FILLING.has(word))) return true;
  if (last === 'exec' || last === 'eval' || (has(EVALUATING) && last === 'evaluate')) return true;
  if (has(TOOLCHAINS) && (has(DEPLOYING) || has(RUNNING))) return true;
  if (name.includes('launch') && (has(APPS) || name.every((word) => word === first || FILLING.has(word)))) return true;
  if (first === 'send' && last === 'keys') return true;
  if (last === 'stuff' && first === 'screen') return true;
  if (has(USING) && (has(DEBUGGING) || last === 'expression')) return true;
  return (has(RUNNING) && (has(RUN) || has(PROGRAMS))) || (has(STARTING) && has(PROCESSES));
}

/** Tells whether a name has a verb of running, and no object that is only looked at. */
function runsSomething(name: readonly string[]): boolean {
  const at = name.findIndex((word) => RUNNING_ANY.has(word));
  return at !== -1 && name.length > 1 && !isOfRuns(name) && !name.some((word) => LOOKED_AT.has(word));
}

function isOfRuns(name: readonly string[]): boolean {
  return name.some((word) => LOOKING.has(word) || OF_RUNS.has(word));
}

/** A parameter: its words in lower case, with `_` between them, and whether it may be any text. */
interface Named {
  readonly name: string;
  readonly isText: boolean;
}

/** Tells whether a tool's parameters hold commands. @param name the words of its name */
export function takesCommands(parameters: readonly Named[], name: readonly string[]): boolean {
  const isVerb = name.some((word) => RUNNING.has(word));
  const isBeside =
    parameters.some((parameter) => BESIDE_CODE.has(parameter.name)) && !name.some((word) => LOOKING_AT_CODE.has(word));
  const isRunning = (isVerb && !name.some((word) => RECKONING.has(word))) || isBeside;
  // A tool that is named like a program and takes its arguments.
  if (hasText(parameters, ITS_ARGUMENTS) && (name.length === 1 || hasText(parameters, PROGRAM))) return true;
  return parameters.some(
    ({ name: parameter, isText }) =>
      isText && (COMMANDS.has(parameter) || (isRunning && CODES.has(parameter)) || (isVerb && hasCode(parameter))),
  );
}

/**
 * Tells whether an argument holds a command, by the end of its name. Used for given arguments: a parameter may have such a name and never
 * get one.
 */
export function isCommand(argument: string): boolean {
  return COMMANDS_LAST.has(argument.slice(argument.lastIndexOf('_') + 1));
}

function hasCode(parameter: string): boolean {
  return parameter.split('_').some((word) => CODE_WORDS.has(word));
}

function hasText(parameters: readonly Named[], names: ReadonlySet<string>): boolean {
  return parameters.some(({ name, isText }) => isText && names.has(name));
}

/**
 * Matches statements by which databases run programs, or load code. Quoted text may look like one: then a person is asked once too often.
 */
const STATEMENT_RUNS =
  /\b(?:(?:from|to)\s+program\b|xp_cmdshell\b|sp_oacreate\b|sp_execute_external_script\b|sys_(?:exec|eval)\s*\(|load_extension\s*\(|dbms_scheduler\b|create\s+(?:or\s+replace\s+)?(?:function|procedure)\b[^;]{1,2000}\blanguage\s+'?(?:c|\w*pl(?:python|perl|sh|tcl)\w*u?|plsh)\b)/i;

const MOST_STATEMENT = 65_536;

/** Tells whether a statement has a database run a program. One that is too long to check counts as such. */
export function statementRuns(statement: string): boolean {
  return statement.length > MOST_STATEMENT || STATEMENT_RUNS.test(statement);
}

/** Programs that talk to other machines. */
const TALKING =
  'curl|wget|aria2c|xh|nc|ncat|netcat|socat|telnet|ssh|scp|sftp|rsync|rclone|t?ftp|nslookup|dig|sendmail|mailx?|mutt|swaks|' +
  'invoke-webrequest|invoke-restmethod|iwr|irm|bitsadmin';

/** Matches the beginning of a command, or the place after a word that starts one. */
const STARTING_AT = String.raw`(?:^|[;|&(\n"'\x60{]|\b(?:sudo|xargs|exec|nohup|time|timeout|then|do|else|env|watch)\b[^;|&\n]{0,60}?\s)\s{0,9}(?:[\w.~/-]{0,80}/)?`;

/** Matches a complete address of this machine. */
const HERE = String.raw`(?:localhost|127(?:\.\d{1,3}){3}|0\.0\.0\.0|\[::1\])(?::\d{1,5})?(?![\w.:@-])`;

const TALKS = new RegExp(
  [
    String.raw`\b(?:https?|wss?|ftps?|sftp|ssh|rsync|git)://(?!${HERE})`,
    String.raw`${STARTING_AT}(?:${TALKING})(?:\.exe)?(?=$|[\s;|&)"'\x60])`,
    String.raw`\bgit\b[^;|&\n]{0,200}?\bpush\b`,
    String.raw`/dev/(?:tcp|udp)/`,
  ].join('|'),
  'i',
);

/** Tells whether a command, or code, may send to another machine. One that is too long to check counts as such. */
export function commandTalks(text: string): boolean {
  return text.length > MOST_STATEMENT || TALKS.test(text);
}

/** Editors' names for their own commands; no shell has these. */
const OF_EDITORS = words('view create insert str_replace undo_edit rename delete');
const EDITORS = words('edit editor replace memory');

const PATCH = /^\s*\*\*\* Begin Patch\r?\n/;

/**
 * Tells whether `command` holds an editor's command, as in models' own editing tools, or a patch, as Codex's hook gets it.
 *
 * @param name the words of the tool's name
 */
export function isOfEditor(text: string, name: readonly string[]): boolean {
  if (name.includes('patch')) return PATCH.test(text);
  return OF_EDITORS.has(text) && name.some((word) => EDITORS.has(word));
}

const TYPING = /^(?:type|key|hotkey|press|paste)/i;

/** Tells whether a computer is told to type, which can open a terminal on it; a look at its screen is harmless. */
export function isTyped(key: string, value: string, name: readonly string[]): boolean {
  return key === 'action' && name.includes('computer') && TYPING.test(value);
}

/** Tells whether a parameter of this name may hold commands, or code, or stand beside some. */
export function isOfCommands(parameter: string): boolean {
  return (
    isCommand(parameter) ||
    hasCode(parameter) ||
    [COMMANDS, CODES, BESIDE_CODE, PROGRAM, ITS_ARGUMENTS].some((names) => names.has(parameter))
  );
}

/** All words that these functions recognise. */
export function commandWords(): readonly string[] {
  const sets = [
    SHELLS,
    TOOLCHAINS,
    DEPLOYING,
    PROGRAMS,
    RUNNING,
    USING,
    STARTING,
    RUN,
    EVALUATING,
    TRIGGERED,
    DEBUGGING,
    PACKAGES,
    APPS,
    'computer',
    TRIGGERING,
    COMMANDS_LAST,
    CODE_WORDS,
  ];
  return [...sets.flatMap((set) => [...set]), ...[...COMMANDS].flatMap((name) => name.split('_'))];
}
