import type { Question } from '../../gate/ports/approval-port.ts';
import { visible } from '../terminal/text.ts';
import { layoutJson, wrap } from '../terminal/json.ts';

/** Characters of a name that one line has; the details have all of it. */
const MOST_IN_LINE = 512;

/** Names the call in a few words: `write_file` for a tool, `resources/read file:///x` for others. Nothing in it is hidden but its end. */
export function subjectText({
  tool,
  resource,
  prompt,
  method,
}: Pick<Question, 'tool' | 'resource' | 'prompt' | 'method'>): string {
  const subject = tool ?? resource ?? prompt;
  const text = subject === undefined ? method : tool !== undefined && method === 'tools/call' ? tool : `${method} ${subject}`;
  if (text.length <= MOST_IN_LINE) return visible(text);
  return `${visible(text.slice(0, MOST_IN_LINE).toWellFormed())}… (${count(text.length)} characters)`;
}

/** The time that a question still waits: `38 s`. */
export function timeLeft({ expiresAt }: Question, now: number): string {
  return `${Math.max(0, Math.ceil((expiresAt - now) / 1000))} s`;
}

/** Everything there is to know about a question, as lines of at most `width` columns. All of it may have been made up by a peer. */
export function detailLines(question: Question, width: number): string[] {
  const { server, session, method, tool, resource, prompt, rule, description } = question;
  const fields: [string, string | undefined][] = [
    ['server', server],
    ['method', method],
    ['tool', tool],
    ['resource', resource],
    ['prompt', prompt],
    ['rule', rule],
    ['why', description],
    ['session', session],
  ];
  const lines: string[] = [];
  for (const [name, value] of fields) {
    if (value === undefined) continue;
    const [first = '', ...others] = wrap(visible(value), width - 10);
    lines.push(`${name.padEnd(9)} ${first}`, ...others.map((line) => `${' '.repeat(10)}${line}`));
  }
  return [...lines, '', ...argumentLines(question, width), ...extraLines(question, width)];
}

/** Lines on everything else that reaches the server. */
function extraLines({ extra }: Question, width: number): string[] {
  return extra === undefined ? [] : ['', 'sent besides', ...layoutJson(extra, width - 2).map((line) => `  ${line}`)];
}

function argumentLines({ args, argsLength, canRemember }: Question, width: number): string[] {
  if (!canRemember) return wrap('! What it sends can not be looked at here: only its method is known.', width);
  if (args === undefined) return ['no arguments'];
  const lines = ['arguments', ...layoutJson(args, width - 2).map((line) => `  ${line}`)];
  if (args.length >= argsLength) return lines;
  const warning = `Only the first ${count(args.length)} of ${count(argsLength)} characters are shown: the rest can't be looked at here.`;
  // The warning stands at both ends: a person who scrolls no further has to know too.
  return [...wrap(`! ${warning}`, width), ...lines, ...wrap(`! ${warning}`, width)];
}

function count(number: number): string {
  return number.toLocaleString('en-US');
}
