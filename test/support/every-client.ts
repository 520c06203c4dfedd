import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';
import type { Client, Location, Machine } from '../../src/clients/client.ts';
import { CLIENTS } from '../../src/clients/clients.ts';
import { pathsOf, resolvePath } from '../../src/clients/path-templates.ts';

/** A config of a client on a machine, with three servers: `files` with arguments, `bare` without, and `off`. */
export interface ClientFile {
  readonly client: string;
  readonly file: string;
  readonly text: string;
}

/** One config of each client that has a file on this machine: of its user, else of the project. Names with `*` have `x` there. */
export function writeEveryClient(machine: Machine, project: string): readonly ClientFile[] {
  const files = CLIENTS.flatMap((client): readonly ClientFile[] => {
    const found = firstFile(client, machine, project);
    return found === undefined ? [] : [{ client: client.id, file: found.file, text: textOf(found.location) }];
  });
  for (const { file, text } of files) {
    mkdirSync(dirname(file), { recursive: true });
    writeFileSync(file, text);
  }
  return files;
}

function firstFile({ locations }: Client, machine: Machine, project: string): { location: Location; file: string } | undefined {
  for (const scope of ['user', 'project']) {
    for (const location of locations.filter((one) => one.scope === scope)) {
      const path = resolvePath(location.file, machine, project);
      if (path === undefined) continue;
      return {
        location,
        file: pathsOf(machine)
          .join(path.base, ...path.segments)
          .replaceAll(/\*+/g, 'x'),
      };
    }
  }
  return undefined;
}

const SECRET = 'hunter2hunter2';

const TEXTS: Readonly<Record<string, string>> = {
  'toml mcp_servers map': `# my Codex\r\nmodel = "x" # last\r\n\r\n[mcp_servers.files] # one\r\n\tcommand = 'npx'   # npm\r\n\targs = [\r\n\t\t"-y", # yes\r\n\t\t"server",\r\n\t]\r\n[mcp_servers.files.env]\r\nTOKEN = "${SECRET}"\r\n\r\n[mcp_servers.bare]\r\ncommand = "true"\r\n\r\n[mcp_servers]\r\noff = { enabled = false, command = "false" }\r\n[projects."/p"]\r\ntrust_level = "trusted"`,
  'toml mcp_servers list': `[[mcp_servers]]\nname = "files"\ntransport = "stdio"\ncommand = "npx"\nargs = ["-y", "server"]\nenv = { TOKEN = "${SECRET}" }\n\n[[mcp_servers]]\nname = "bare"\ncommand = "true"\n\n[[mcp_servers]] # last\nname = "off"\ncommand = "false"\n\n`,
  'yaml extensions': `GOOSE_MODEL: x\nextensions:\n  developer:\n    type: builtin\n    enabled: true\n  files: # one\n    args:\n    - -y  # yes\n    - server\n    cmd: npx\n    envs:\n      TOKEN: ${SECRET}\n    type: stdio\n  bare: {cmd: 'true', type: stdio}\n\n  off:\n    enabled: false\n    cmd: >-\n      false\n    type: stdio\n`,
  'yaml mcpServers': `name: mine\nversion: 1.0.0\nmcpServers:\n- name: files\n  command: "npx"\n  args: [ -y, server ] # yes\n  env:\n    TOKEN: ${SECRET}\n- command: 'true'\n  name: bare\n\n- name: off\n  command: 'false'\n`,
  json5: `// my claw\n{\n  mcp: {\n    servers: {\n      files: { command: 'npx', args: ['-y', "server",], env: { TOKEN: '${SECRET}', }, },\n      'bare': {\n        command: 'true', // one\n      },\n      off: { enabled: false, command: "false" },\n    },\n  },\n}\n`,
};

/** A text in the syntax and the shape of a location. */
function textOf({ syntax, tables, shape }: Location): string {
  const [table = []] = tables;
  if (syntax === 'toml') return TEXTS[`toml mcp_servers ${tables.length > 1 ? 'map' : 'list'}`] ?? '';
  if (syntax === 'yaml') return TEXTS[`yaml ${table[0]}`] ?? '';
  if (syntax === 'json5') return TEXTS['json5'] ?? '';
  const entry = (command: string, args?: readonly string[]): object => {
    const env = { [shape.env]: { TOKEN: SECRET } };
    if (shape.stdio === 'argv') return { type: 'local', command: [command, ...(args ?? [])], ...env };
    return { command, ...(args === undefined ? {} : { args }), ...env };
  };
  const off = shape.disabled === undefined ? {} : { [shape.disabled.key]: shape.disabled.when };
  const servers = { files: entry('npx', ['-y', 'server']), bare: entry('true'), off: { ...off, ...entry('false') } };
  const root = table.toReversed().reduce<object>((below, key) => ({ [key]: below }), servers);
  const text = JSON.stringify({ first: [1.5, 1e3], ...root, last: null }, undefined, '\t');
  return syntax.comments ? `// mine\n${text.replace('\n', ' /* { */\n')}\n` : text;
}
