import { JSON5 } from '../../src/clients/formats/json5.ts';
import { TOML } from '../../src/clients/formats/toml.ts';
import { YAML } from '../../src/clients/formats/yaml.ts';
import { inspectArguments } from '../../src/core/detect/arguments/inspect-arguments.ts';
import { normalise } from '../../src/core/detect/normalise/normalise.ts';
import { findObfuscation } from '../../src/core/detect/rules/obfuscation/find-obfuscation.ts';
import { redactJson } from '../../src/core/dlp/redact-json.ts';
import { redactText } from '../../src/core/dlp/redact-text.ts';
import { SentValues } from '../../src/core/flow/values/known-values.ts';
import type { JsonObject } from '../../src/core/json.ts';
import { compilePolicy } from '../../src/core/match/compile.ts';
import { findPointer } from '../../src/policy-tools/explain/settle-selection.ts';
import { formatPolicyText } from '../../src/policy-tools/format/format-policy-text.ts';
import { compileGlob } from '../../src/core/patterns/glob.ts';
import { readLongText } from '../../src/core/paths/long-text.ts';
import { toPathForms } from '../../src/core/paths/path-forms.ts';
import { readTexts } from '../../src/core/paths/path-readings.ts';
import { compileRegex } from '../../src/core/patterns/regex.ts';
import { findRuleHeaders } from '../../src/core/policy/toml-layout.ts';
import { createSubject } from '../../src/core/match/subject.ts';
import { splitName } from '../../src/core/classify/split-name.ts';
import { readShellLine } from '../../src/core/shell/shell-line.ts';
import { expandBraces, isAnyName, isShellPattern, patternLeads } from '../../src/core/shell/shell-pattern.ts';
import { expandVariables } from '../../src/core/shell/shell-variables.ts';
import { layoutJson } from '../../src/cli/terminal/json.ts';
import { realPath } from '../../src/host/paths.ts';
import { readRequest } from '../../src/protocol/llm/anthropic/request.ts';
import { restoreCalls } from '../../src/protocol/llm/anthropic/restore.ts';
import { restoreCalls as restoreParts } from '../../src/protocol/llm/gemini/restore.ts';
import { findKeyProblem } from '../../src/protocol/llm/json-text.ts';
import { restoreChat } from '../../src/protocol/llm/openai/chat/restore.ts';
import { findDisagreement, readHeaderClaims } from '../../src/protocol/mcp/http-headers.ts';
import { EventSum } from '../../src/transport/llm/event-sum.ts';
import { parseBeginning } from '../../src/transport/llm/parse-beginning.ts';
import { hasher, Memory } from '../core/flow/values/memory.ts';
import { createLedger, tellable } from '../support/denied-ledger.ts';
import { ownOf } from '../support/own.ts';
import { policyFrom, POSIX, WINDOWS } from '../support/policy.ts';
import { HOSTILE_PIECES } from './hostile-pieces.ts';

/** Work whose time may grow as its size does and no faster, whoever chose what it works on. */
export interface GrowthCase {
  /** The function that works. */
  readonly group: string;
  readonly name: string;
  readonly size: number;
  /** Makes what is worked on, of so many characters or members, and gives the work. */
  readonly prepare: (size: number) => () => unknown;
  /** It reads no more for more: its time grows by less than this many times. */
  readonly most?: number;
}

const OWN = ownOf(['/home/user/.config/clawai', '/home/user/.claude.json']);
/** One of each kind: found at once, by its end, by an automaton. */
const LONG_GLOBS = ['**/.ssh/**', '**.pem', '**/*a*/x'].map((glob) => compileGlob(glob));
const NO_CONTEXT = compilePolicy(policyFrom(''));

/** Cases of one function that reads a text, for texts made of one piece over and over. */
function ofTexts(
  what: string,
  { size, pieces, start = '' }: { readonly size: number; readonly pieces: readonly string[]; readonly start?: string },
  read: (text: string) => unknown,
): GrowthCase[] {
  return pieces.map((piece) => ({
    group: what,
    name: `${what} ${JSON.stringify(start + piece)}`,
    size,
    prepare: (length) => {
      const text = start + piece.repeat(Math.ceil(length / piece.length));
      return () => read(text);
    },
  }));
}

const texts: readonly GrowthCase[] = [
  ...ofTexts('normalise', { size: 20_000, pieces: HOSTILE_PIECES.normalise }, (text) => {
    const normalised = normalise(text);
    normalised.at(normalised.plain.length >> 1);
    findObfuscation('text', text, normalised);
  }),
  ...ofTexts('inspectArguments', { size: 4000, pieces: HOSTILE_PIECES.arguments }, (value) =>
    inspectArguments({ path: value.slice(0, 4096), name: value, command: value }, () => true),
  ),
  ...['', 'token=', 'token="', '://a:', 'eyJ', '-----BEGIN PRIVATE KEY-----'].flatMap((start) =>
    ofTexts('redactText', { size: 8192, pieces: HOSTILE_PIECES.redact, start }, (text) => redactText(text, 65_536 * 4)),
  ),
  ...ofTexts('toPathForms', { size: 60_000, pieces: HOSTILE_PIECES.paths }, (text) => toPathForms(text, WINDOWS)),
  ...ofTexts('readTexts', { size: 20_000, pieces: HOSTILE_PIECES.urls, start: 'http://' }, (text) => readTexts(text, POSIX)),
  ...ofTexts('readTexts', { size: 20_000, pieces: HOSTILE_PIECES.urls }, (text) => readTexts(`${text}x://`, POSIX)),
  // Both sizes are over 128 KiB: V8 then keeps a text apart from other objects, and each copy costs ten times as much.
  ...['', 'http://h/'].flatMap((start) =>
    ofTexts('readLongText', { size: 200_000, pieces: [...HOSTILE_PIECES.paths, '%25252541', '%80', '中'], start }, (text) =>
      readLongText(text, WINDOWS, 0).matches(LONG_GLOBS),
    ),
  ),
  ...ofTexts('expandBraces', { size: 4096, pieces: HOSTILE_PIECES.patterns }, (text) =>
    [text, `]${text}`, `${text}x`, `}${text}`, `${text}${'}'.repeat(text.length / 2)}`]
      .flatMap(expandBraces)
      .map((word) => patternLeads(`/home/user/${word}`, OWN.roots, isShellPattern(word) && isAnyName(word))),
  ),
  ...ofTexts('flow of values', { size: 64_000, pieces: HOSTILE_PIECES.values }, (text) => {
    const memory = new Memory();
    memory.answer('notes', text);
    memory.find('mail', { text });
    new SentValues(hasher).add({ text }, 1);
  }),
  ...ofTexts('layoutJson', { size: 16_000, pieces: HOSTILE_PIECES.json }, (text) => layoutJson(text, 80)),
  ...ofTexts('parseBeginning', { size: 16_000, pieces: HOSTILE_PIECES.json }, (text) => parseBeginning(text, 10)),
  ...['', '"""', '[[', '"'].flatMap((start) =>
    ofTexts('findRuleHeaders', { size: 16_000, pieces: HOSTILE_PIECES.toml, start }, findRuleHeaders),
  ),
  ...HOSTILE_PIECES.globs.flatMap((pattern) => {
    const glob = compileGlob(pattern);
    return ofTexts(`glob ${pattern}`, { size: 100_000, pieces: ['a'] }, (text) => glob.matches(text));
  }),
  ...ofTexts('regex', { size: 16_000, pieces: ['a'] }, (text) => {
    const regex = compileRegex('^(a|aa|a*)+$');
    return 'matches' in regex && regex.matches(`${text}b`);
  }),
  ...ofTexts('a shell line', { size: 4000, pieces: ['A=$A$A$A; B=$A; '] }, (text) =>
    expandVariables(readShellLine(`${text}rm $A $B`)),
  ),
  ...ofTexts('splitName', { size: 512, pieces: ['A'] }, splitName),
  ...ofTexts('formatPolicyText', { size: 12_000, pieces: ['[[rule]] # a\ntool = ["b", # c\n"d"] # e\n'] }, formatPolicyText),
  ...ofTexts(
    'formatPolicyText',
    { size: 20_000, pieces: ['[[rule]]\naction = "deny"\ntool = "x"\nargs.a = 1 # c\n'] },
    formatPolicyText,
  ),
  ...ofTexts('kinds of SQL', { size: 30_000, pieces: ['/*', 'drop ', '(', ' ;alter table', 'begin update a set '] }, (sql) =>
    createSubject({ method: 'tools/call', server: 's', tool: 'query', args: { sql } }, { policy: NO_CONTEXT }).categories(),
  ),
  ...ofTexts('kinds of a command', { size: 4096, pieces: ['git ', 'sudo ', 'a/', '"', 'http://localhost'] }, (command) =>
    createSubject(
      { method: 'tools/call', server: 's', tool: 'run_command', args: { command } },
      { policy: NO_CONTEXT },
    ).categories(),
  ),
];

/** Configs of clients, which a repository may bring, with so many different keys. */
const configs = [
  { name: 'YAML keys', scan: YAML.scan, line: (i: number) => `k${i}: x` },
  { name: 'YAML servers', scan: YAML.scan, line: (i: number) => `- name: s${i}\n  command: x` },
  { name: 'TOML keys', scan: TOML.scan, line: (i: number) => `k${i} = "x"` },
  { name: 'TOML tables', scan: TOML.scan, line: (i: number) => `[servers.s${i}]\ncommand = "x"` },
  { name: 'JSON5 keys', scan: JSON5.scan, line: (i: number) => `${i === 0 ? '{' : ''}k${i}: 'x',`, end: '}' },
].map(({ name, scan, line, end = '' }) => ({
  name,
  size: 500,
  prepare: (size: number) => {
    const text = `${Array.from({ length: size }, (_, i) => line(i)).join('\n')}\n${end}`;
    return () => scan(text);
  },
}));

/** Of so many members, messages or calls. */
const structures: readonly Omit<GrowthCase, 'group'>[] = [
  ...configs,
  {
    name: 'findKeyProblem',
    size: 4000,
    prepare: (size) => {
      const text = JSON.stringify({ a: '\\"'.repeat(size * 10), b: Array.from({ length: size }, () => ({ c: 1 })) });
      return () => findKeyProblem(text);
    },
  },
  {
    name: 'redactText of more than is kept',
    size: 1_000_000,
    prepare: (size) => {
      const text = JSON.parse(`"${'password=x '.repeat(size / 11)}"`) as string;
      return () => redactText(text, 2048);
    },
    most: 10,
  },
  {
    name: 'redactJson of a long list',
    size: 60_000,
    prepare: (size) => {
      const value = { a: 'password=x '.repeat(size * 2), b: Array.from({ length: size }, () => 'eyJ') };
      return () => redactJson(value);
    },
  },
  {
    name: 'findPointer in deep arguments',
    size: 4000,
    prepare: (size) => {
      let deep: JsonObject = { a: 'x' };
      for (let i = 0; i < size; i++) deep = { a: deep };
      const [arg] = policyFrom('[[rule]]\naction = "deny"\ntool = "t"\nargs.b = "x"\n').rules[0]?.args ?? [];
      return () => findPointer(deep, arg?.path ?? [], { value: 'x', where: 'value' });
    },
  },
  {
    name: 'Mcp-Param headers beside arguments',
    size: 400,
    prepare: (size) => {
      const headers = Object.fromEntries(Array.from({ length: size / 10 }, (_, i) => [`mcp-param-${i}`, 'last']));
      const args = { last: 'last', list: Array.from({ length: size * 30 }, (_, i) => `v${i}`) };
      return () => {
        const claims = readHeaderClaims(headers);
        if (claims !== undefined) findDisagreement(claims, { method: 'tools/call', params: { name: 'a', arguments: args } });
      };
    },
  },
  {
    name: 'an event of many values',
    size: 16_000,
    prepare: (size) => {
      const data = Buffer.from(`{"type":"t","list":[${'1,'.repeat(size)}1]}`);
      return () => new EventSum().add({ data, dataStart: 0, dataEnd: data.length });
    },
  },
  {
    name: 'real path of what is not there',
    most: 10,
    size: 900,
    prepare: (size) => {
      const path = `/nowhere${'/x'.repeat(size)}`;
      return () => realPath(path);
    },
  },
  {
    name: "results in Anthropic's request",
    size: 1000,
    prepare: (size) => {
      const messages = Array.from({ length: size }, (_, at) => ({
        role: 'user',
        content: [{ type: 'tool_result', tool_use_id: `t${at}`, content: '"\\'.repeat(50) }],
      }));
      const text = JSON.stringify({ model: 'm-1', messages, note: 'tool_addition' });
      return () => readRequest(text);
    },
  },
];

/** Conversations with denied calls in them. */
const conversations: readonly Omit<GrowthCase, 'group'>[] = [
  {
    name: 'notes that nobody knows, in Anthropic’s messages',
    size: 1000,
    prepare: (size) => {
      const { ledger, notes } = denied(1);
      const unknown = Array.from({ length: size }, () => says('[clawai blk_AAAAAAAAAAAAAAAA] No.'));
      const text = JSON.stringify({ messages: [...unknown, ...notes.map(says)] });
      return () => restoreCalls(text, ledger);
    },
  },
  ...(['one message', 'many messages'] as const).map((where) => ({
    name: `denied calls in ${where} of Anthropic's`,
    size: 250,
    prepare: (size: number) => {
      const { ledger, notes } = denied(size);
      const said = where === 'one message' ? [says(notes.join('\n'))] : notes.map(says);
      const much = { role: 'user', content: [{ type: 'text', text: 'x'.repeat(size * 6000) }] };
      const text = JSON.stringify({ messages: [{ role: 'user', content: 'go' }, ...said, much] });
      return () => restoreCalls(text, ledger);
    },
  })),
  {
    name: 'denied calls beside much, in chat completions',
    size: 250,
    prepare: (size) => {
      const { ledger, notes } = denied(size);
      const said = `${'x'.repeat(size * 256)}${notes.join('\n\n')}`;
      const result = { role: 'tool', tool_call_id: 'z', content: 'x'.repeat(size * 1024) };
      const text = JSON.stringify({ messages: [{ role: 'assistant', content: said }, result] });
      return () => restoreChat(text, ledger);
    },
  },
  {
    name: 'results that look like notes, in chat completions',
    size: 500,
    prepare: (size) => {
      const { ledger, notes } = denied(1);
      const content = `${notes[0]?.slice(0, -1)}…`;
      const kept = { id: 'a', type: 'function', function: { name: 'ok', arguments: '{}' } };
      const results = Array.from({ length: size }, () => ({ role: 'tool', tool_call_id: 'a', content }));
      const text = JSON.stringify({ messages: [{ role: 'assistant', content: null, tool_calls: [kept] }, ...results] });
      return () => restoreChat(text, ledger);
    },
  },
  {
    name: 'calls beside results, in Gemini’s contents',
    size: 3000,
    prepare: (size) => {
      const note = '[clawai blk_edit____________] No "edit".';
      const ids = Array.from({ length: size }, (_, i) => `q${i}`);
      const calls = ids.map((id) => ({ functionCall: { id, name: 'x', args: {} } }));
      const results = ids.toReversed().map((id) => ({ functionResponse: { id, name: 'x', response: { output: 1 } } }));
      const contents = [
        { role: 'model', parts: [{ text: note }, ...calls] },
        { role: 'user', parts: results },
      ];
      const text = JSON.stringify({ contents });
      const call = { id: '', name: 'edit', text: '{"functionCall":{"name":"edit","args":{}}}', note };
      const notedIn = (said: string) =>
        said.includes(note) ? [{ call, start: said.indexOf(note), end: said.indexOf(note) + note.length }] : [];
      return () => restoreParts(text, { notedIn, ofAnswer: () => [], ofMark: () => undefined, isDenied: () => false });
    },
  },
];

function says(text: string): object {
  return { role: 'assistant', content: [{ type: 'text', text }] };
}

/** A ledger of so many denied calls, and their notes. */
function denied(count: number) {
  const ledger = createLedger();
  const notes = Array.from({ length: count }, (_, i) => {
    const text = JSON.stringify({ type: 'tool_use', id: `many${i}`, name: 'Bash', input: {} });
    return ledger.note(tellable(text, { answer: 'msg_1' }), 'No.');
  });
  return { ledger, notes };
}

export const GROWTH_CASES: readonly GrowthCase[] = [
  ...texts,
  ...[...structures, ...conversations].map((one) => ({ ...one, group: one.name })),
];
