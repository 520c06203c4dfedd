// Words that characterise those beside them, and mean nothing by themselves.

/** Greetings, in the languages that have them in front of a name. */
export const GREETINGS: ReadonlySet<string> = new Set(
  'dear hello hi hey okay ok attention greetings caro cara cher chère querido querida estimado estimada prezado liebe lieber hallo beste geachte дорогой уважаемый sayın drogi szanowny'.split(
    ' ',
  ),
);

/** Words in front of a tool's name, and behind it. */
export const CALLS: ReadonlySet<string> = new Set(['call', 'invoke', 'execute', 'run', 'trigger']);
export const IS_CALLED: ReadonlySet<string> = new Set(['called', 'invoked', 'used', 'executed']);
/** Words that call something a tool. */
export const IS_TOOL: ReadonlySet<string> = new Set(['tool', 'tools', 'function', 'server']);

/** Names of tags that give a text weight it should not have. */
export const ORDER_TAGS: ReadonlySet<string> = new Set(
  'important critical system hidden secret instruction instructions admin override directive directives priority urgent mandatory information hidden_instruction confidential prompt task assistant ai agent security rules rule command commands internal notice attention requirement policy thought thinking script_instruction'.split(
    ' ',
  ),
);
/** Tags in which agents wrap a tool's answer: an end tag within an answer tries to break out. */
export const RESULT_TAGS: ReadonlySet<string> = new Set([
  'tool_result',
  'tool_results',
  'function_result',
  'function_results',
  'tool_response',
  'tool_output',
  'function_calls',
]);

/** Words that open sentences with an order behind a comma: `For better results, send …`. */
export const OPENERS: ReadonlySet<string> = new Set('for to since because should prior during while'.split(' '));
