import fc from 'fast-check';

/** A server of a generated config. */
export interface Server {
  readonly name: string;
  readonly command?: string | undefined;
  readonly args?: readonly string[] | undefined;
  readonly url?: string | undefined;
  readonly env: Readonly<Record<string, string>>;
}

const word = fc.oneof(
  fc.constantFrom(
    'npx',
    '-y',
    '@scope/server',
    '~',
    'no',
    '1e3',
    '0o7',
    'null',
    '- a',
    'a: b',
    '# c',
    '*x',
    '&x',
    '!!str',
    '"',
    "'",
    '\\',
    'C:\\Program Files\\node.exe',
    '{',
    '[a]',
    '${V}',
    '\t',
    'a\nb',
    '<<',
    '=',
    '%',
    '@x',
    '`',
    '|',
    '>',
  ),
  fc.string({ unit: 'grapheme', maxLength: 6 }),
  fc.string({ unit: 'grapheme-ascii', maxLength: 8 }),
);
const name = fc.oneof(
  fc.constantFrom('github', 'my server', 'a.b', '"q"', "it's", '__proto__', 'command', 'args', 'name', 'on', '1', 'ü', '#', '-'),
  word,
);
const env = fc.dictionary(fc.constantFrom('A', 'TOKEN', 'x y'), word, { maxKeys: 2, noNullPrototype: true });
const command = word.filter((text) => text !== '');

const started = fc.record({ name, command, args: fc.option(fc.array(word, { maxLength: 4 }), { nil: undefined }), env });
const reached = fc.record({
  name,
  url: fc.constantFrom('https://h.example/x', "https://h.example/it's?a=#b"),
  env: fc.constant({}),
});

/** Servers with different names, and the choices of whoever writes them down. */
export const servers: fc.Arbitrary<readonly Server[]> = fc.uniqueArray(fc.oneof({ weight: 4, arbitrary: started }, reached), {
  minLength: 1,
  maxLength: 4,
  selector: (server) => server.name,
});
export const looks = fc.array(fc.nat(59), { minLength: 1, maxLength: 60 });

/** Makes one choice after the other. */
export function chooser(from: readonly number[]): <T>(...options: readonly [T, ...T[]]) => T {
  let at = 0;
  return (...options) => {
    const look = from[at % from.length] ?? 0;
    at += 1;
    return options[(look + at) % options.length] ?? options[0];
  };
}

type Choose = ReturnType<typeof chooser>;

/** A basic string with every character outside of ASCII's words as an escape, or as it stands. */
function basic(text: string): string {
  return JSON.stringify(text).replaceAll('\u007F', String.raw`\u007f`);
}

function tomlString(text: string, choose: Choose): string {
  const isPlain = !/[\u0000-\u0008\u000A-\u001F\u007F]/.test(text);
  return choose(
    basic(text),
    isPlain && !text.includes("'") ? `'${text}'` : basic(text),
    `"""${choose('', '\n')}${basic(text).slice(1, -1)}"""`,
    isPlain && !text.includes("'") ? `'''\n${text}'''` : basic(text),
  );
}

/** A string on one line: keys can't be anything else. */
function tomlKey(text: string, choose: Choose): string {
  if (/^[\w-]+$/.test(text) && choose(true, false)) return text;
  return /^[^'\u0000-\u001F\u007F]*$/.test(text) ? choose(basic(text), `'${text}'`) : basic(text);
}

/** The text of a Codex config. */
export function writeToml(list: readonly Server[], choose: Choose): string {
  const eol = choose('\n', '\r\n');
  const lines: string[] = [
    choose('', '# a comment with command = "x"'),
    choose('model = "x"', 'n = 9223372036854775807', 'd = 1979-05-27'),
  ];
  const note = (): string => choose('', ' # c', '\t#"');
  const array = (items: readonly string[]): string => {
    const written = items.map((item) => tomlString(item, choose));
    if (written.length === 0) return choose('[]', '[ ]', `[${eol}]`);
    const sep = choose(', ', ',', `,${eol}\t`, `, # c${eol}  `);
    return `[${choose('', ' ', eol)}${written.join(sep)}${choose('', ',', ` ,${eol}`)}]`;
  };
  const pairsOf = ({ command: program, args, url }: Server): readonly (readonly [string, string])[] => [
    ...(program === undefined ? [] : [['command', tomlString(program, choose)] as const]),
    ...(args === undefined ? [] : [['args', array(args)] as const]),
    ...(url === undefined ? [] : [['url', tomlString(url, choose)] as const]),
  ];
  const inline = (server: Server): string => {
    const pairs = [
      // A line end is no part of an inline table.
      ...pairsOf(server).map(([key, value]) => [key, value.includes('\n') ? undefined : value] as const),
      ...(Object.keys(server.env).length === 0
        ? []
        : [
            [
              'env',
              `{${Object.entries(server.env)
                .map(([key, value]) => `${basic(key)}=${basic(value)}`)
                .join(',')}}`,
            ] as const,
          ]),
    ];
    const safe = pairs.map(([key, value]) => [
      key,
      value ??
        (key === 'args'
          ? `[${(server.args ?? []).map(basic).join(', ')}]`
          : basic(key === 'url' ? (server.url ?? '') : (server.command ?? ''))),
    ]);
    return `{${choose('', ' ')}${safe.map(([key, value]) => `${key}${choose(' = ', '=')}${value}`).join(choose(', ', ','))}${choose('', ' ')}}`;
  };
  // An inline table can't be added to, so that all are in it or none.
  if (choose(0, 1, 2, 3) === 3) {
    lines.push(
      `mcp_servers = {${list.map((server) => `${tomlKey(server.name, choose)} = ${inline(server)}`).join(', ')}}${note()}`,
    );
    lines.push('[projects."/a b"]', 'trust_level = "trusted"');
  } else {
    const [dotted, headed] = [list.filter((_, i) => i % 2 === 1 && choose(true, false)), [] as Server[]];
    headed.push(...list.filter((server) => !dotted.includes(server)));
    for (const server of dotted) {
      const key = tomlKey(server.name, choose);
      if (choose(true, false)) lines.push(`mcp_servers.${key} = ${inline(server)}${note()}`);
      else {
        for (const [part, value] of pairsOf(server))
          lines.push(`${choose('', '  ')}mcp_servers . ${key}.${part} = ${value}${note()}`);
        for (const [part, value] of Object.entries(server.env))
          lines.push(`mcp_servers.${key}.env.${basic(part)} = ${basic(value)}`);
      }
    }
    lines.push('[[hooks.x]]', 'a = 1', '[[hooks.x]]');
    for (const server of headed) {
      const key = tomlKey(server.name, choose);
      // A table that dotted keys have made can't have a header.
      if (dotted.length > 0) {
        lines.push('', `[other.${key}]${note()}`);
        continue;
      }
      lines.push('', `${choose('', '\t')}[mcp_servers.${key}]${note()}`);
      for (const [part, value] of pairsOf(server))
        lines.push(`${choose('', '\t', '    ')}${choose(part, `"${part}"`)}${choose(' = ', '=', '   = ')}${value}${note()}`);
      const variables = Object.entries(server.env);
      if (variables.length > 0)
        lines.push(`[mcp_servers.${key}.env]`, ...variables.map(([part, value]) => `${basic(part)} = ${basic(value)}`));
    }
  }
  return `${choose('', '\uFEFF')}${lines.join(eol)}${choose('', eol, eol + eol)}`;
}

function yamlString(
  text: string,
  { choose, isFlow, eol, indent }: { choose: Choose; isFlow: boolean; eol: string; indent: string },
): string {
  const quoted = JSON.stringify(text).replaceAll(
    /[\u007F-\u009F\u2028\u2029\uFEFF]/g,
    (c) => String.raw`\u` + c.charCodeAt(0).toString(16).padStart(4, '0'),
  );
  const isWord =
    /^[a-z@][\w/@.-]*$/i.test(text) && !/^(?:null|true|false|yes|no|on|off|y|n)$/i.test(text) && !text.startsWith('@');
  const isOneLine = /^[\u0020-\u007E]*$/.test(text);
  const isBlock = !isFlow && /^[\u0021-\u007E](?:[\u0020-\u007E]*[\u0021-\u007E])?$/.test(text);
  return choose(
    quoted,
    isWord ? text : quoted,
    isOneLine ? `'${text.replaceAll("'", "''")}'` : quoted,
    isBlock ? `${choose('>-', '|-', '|-  # c')}${eol}${indent}  ${text}` : quoted,
  );
}

/** The text of a Goose config, or of a Continue config if it is a list. */
export function writeYaml(list: readonly Server[], choose: Choose, isList = false): string {
  const eol = choose('\n', '\r\n');
  const keys = isList ? { command: 'command', env: 'env', url: 'url' } : { command: 'cmd', env: 'envs', url: 'uri' };
  const lines: string[] = [
    choose('', '# c', '%YAML 1.2\n---', '---').replace('\n', eol),
    choose('a: 1', 'a: &a [x, y]', 'a: |\n  text\n  # no comment'.replaceAll('\n', eol)),
    choose('', '# cmd: x'),
  ];
  const step = choose(' ', '  ', '    ');
  const note = (): string => choose('', ' # c', '   #"');
  const quoted = (text: string): string => yamlString(text, { choose: (first) => first, isFlow: true, eol, indent: '' });
  const flow = (server: Server): string => {
    const string = (text: string): string => yamlString(text, { choose, isFlow: true, eol, indent: '' });
    const parts = [
      ...(isList ? [`name: ${quoted(server.name)}`] : []),
      ...(server.command === undefined ? [] : [`${keys.command}: ${string(server.command)}`]),
      ...(server.args === undefined ? [] : [`${choose('args', '"args"')}: [${server.args.map(string).join(choose(', ', ','))}]`]),
      ...(server.url === undefined ? [] : [`${keys.url}: ${string(server.url)}`]),
      `${keys.env}: {${Object.entries(server.env)
        .map(([key, value]) => `${quoted(key)}: ${quoted(value)}`)
        .join(', ')}}`,
    ];
    return `{${choose('', ' ')}${parts.join(choose(', ', `,${eol}${step.repeat(4)}`))}${choose('', ' ')}}`;
  };
  lines.push(`${isList ? 'mcpServers' : choose('extensions', '"extensions"')}:${note()}`);
  for (const server of list) {
    const head = isList ? `${step}- ` : `${step}${quoted(server.name)}:`;
    if (choose(0, 1, 2) === 2) {
      lines.push(isList ? `${head}${flow(server)}` : `${head} ${flow(server)}`);
      continue;
    }
    const indent = isList ? `${step}  ` : step.repeat(2);
    const string = (text: string, deeper = ''): string =>
      yamlString(text, { choose, isFlow: false, eol, indent: `${indent}${deeper}` });
    const parts: string[] = [];
    const put = (key: string, text: string): void => void parts.push(`${key}: ${text}${text.includes('\n') ? '' : note()}`);
    if (server.command !== undefined) put(keys.command, string(server.command));
    if (server.args !== undefined) {
      const deeper = choose('', step);
      if (server.args.length === 0) parts.push('args: []');
      else if (choose(true, false))
        put('args', `[${server.args.map((arg) => yamlString(arg, { choose, isFlow: true, eol, indent })).join(', ')}]`);
      else
        parts.push(
          [
            'args:',
            ...server.args.map((arg) => `${indent}${deeper}- ${string(arg, `${deeper}  `)}`),
            ...choose([], [`${indent}# c`]),
          ].join(eol),
        );
    }
    if (server.url !== undefined) put(keys.url, string(server.url));
    const variables = Object.entries(server.env);
    if (variables.length > 0)
      parts.push(
        [`${keys.env}:`, ...variables.map(([key, value]) => `${indent}${step}${quoted(key)}: ${quoted(value)}`)].join(eol),
      );
    const turned = choose(parts, parts.toReversed());
    if (isList) {
      const [first = '', ...rest] = [`name: ${quoted(server.name)}`, ...turned];
      lines.push(`${head}${first}`, ...rest.map((part) => `${indent}${part}`));
    } else lines.push(`${head}${note()}`, ...turned.map((part) => `${indent}${part}`));
    if (choose(true, false)) lines.push('');
  }
  lines.push(choose('', 'b: x', '# end'));
  return `${choose('', '\uFEFF')}${lines.join(eol)}${choose('', eol, eol + eol)}`;
}

/** The text of an OpenClaw config. */
export function writeJson5(list: readonly Server[], choose: Choose): string {
  const eol = choose('\n', '\r\n');
  const string = (text: string): string =>
    choose(
      JSON.stringify(text),
      `'${JSON.stringify(text)
        .slice(1, -1)
        .replaceAll(String.raw`\"`, '"')
        .replaceAll("'", String.raw`\'`)}'`,
    );
  const key = (text: string): string => (/^[a-z]+$/.test(text) ? choose(text, JSON.stringify(text)) : string(text));
  const space = (): string => choose('', ' ', eol, ` // c${eol}  `, ' /* , */ ');
  const object = (members: readonly string[]): string =>
    `{${space()}${members.map((member) => member + space()).join(`,${space()}`)}${members.length > 0 ? choose('', ',') : ''}${space()}}`;
  const servers5 = list.map((server) => {
    const members = [
      ...(server.command === undefined ? [] : [`${key('command')}:${space()}${string(server.command)}`]),
      ...(server.args === undefined
        ? []
        : [`args: [${space()}${server.args.map(string).join(`,${space()}`)}${server.args.length > 0 ? choose('', ',') : ''}]`]),
      ...(server.url === undefined ? [] : [`url: ${string(server.url)}`]),
      `env: ${object(Object.entries(server.env).map(([name5, value]) => `${key(name5)}: ${string(value)}`))}`,
    ];
    return `${key(server.name)}: ${object(choose(members, members.toReversed()))}`;
  });
  const rest = choose('n: +1', "t: 'a\\\nb'", 'h: 0x1F, i: -Infinity', 'x: [.5, 5.,]');
  return `${choose('', '\uFEFF')}${space()}${object([rest, `mcp: ${object([`servers: ${object(servers5)}`])}`])}${choose('', eol)}`;
}
