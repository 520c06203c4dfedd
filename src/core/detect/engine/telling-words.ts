// Words that say something of those beside them, and nothing by themselves.

/** With which somebody is spoken to, in the languages that have them in front of a name. */
export const GREETINGS: ReadonlySet<string> = new Set(
  'dear hello hi hey okay ok attention greetings caro cara cher chère querido querida estimado estimada prezado liebe lieber hallo beste geachte дорогой уважаемый sayın drogi szanowny'.split(
    ' ',
  ),
);

/** In front of a tool's name, and behind it. */
export const CALLS: ReadonlySet<string> = new Set(['call', 'invoke', 'execute', 'run', 'trigger']);
export const IS_CALLED: ReadonlySet<string> = new Set(['called', 'invoked', 'used', 'executed']);
/** What is said to be a tool. */
export const IS_TOOL: ReadonlySet<string> = new Set(['tool', 'tools', 'function', 'server']);

/** Names of tags that give a text weight it should not have. */
export const ORDER_TAGS: ReadonlySet<string> = new Set(
  'important critical system hidden secret instruction instructions admin override directive directives priority urgent mandatory information hidden_instruction confidential prompt task assistant ai agent security rules rule command commands internal notice attention requirement policy thought thinking script_instruction'.split(
    ' ',
  ),
);
/** What agents put a tool's answer in: an end of it within one is an attempt to get out. */
export const RESULT_TAGS: ReadonlySet<string> = new Set([
  'tool_result',
  'tool_results',
  'function_result',
  'function_results',
  'tool_response',
  'tool_output',
  'function_calls',
]);

/** Words with which sentences open that have an order behind a comma: `For better results, send …`. */
export const OPENERS: ReadonlySet<string> = new Set('for to since because should prior during while'.split(' '));
