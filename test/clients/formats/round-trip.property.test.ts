import fc from 'fast-check';
import { beforeAll, describe, expect, it } from 'vitest';
import { undoEdits } from '../../../src/clients/edit-json.ts';
import type { Client } from '../../../src/clients/client.ts';
import { CLIENTS } from '../../../src/clients/clients.ts';
import { editText, loadFormats } from '../../../src/clients/text.ts';
import { editServers } from '../../../src/wrap/edit-servers.ts';
import { launchOf, rewriteLaunch } from '../../../src/wrap/launch.ts';
import { readServers } from '../../../src/wrap/read-servers.ts';
import { leastHits, runs } from '../../support/runs.ts';
import { chooser, looks, type Server, servers, writeJson5, writeToml, writeYaml } from './texts.ts';

beforeAll(() => loadFormats(['toml', 'yaml', 'json5']));

const COMMAND = {
  command: '/opt/node',
  args: ['/opt/clawai.mjs', 'proxy', '--server', 'a "b"', '--', 'C:\\x y', 'ü', '# c', '\u007F'],
};
const URL = { url: 'http://127.0.0.1:1/x#y' };

function clientOf(wanted: string): Client {
  const client = CLIENTS.find(({ id }) => id === wanted);
  if (client === undefined) throw new Error(`${wanted} is no client`);
  return client;
}

it.each<[string, Client, (list: readonly Server[], choose: ReturnType<typeof chooser>) => string]>([
  ['TOML', clientOf('codex'), writeToml],
  ['YAML', clientOf('goose'), writeYaml],
  ['a list in YAML', clientOf('continue'), (list, choose) => writeYaml(list, choose, true)],
  ['JSON5', clientOf('openclaw'), writeJson5],
])(
  'hazard 47: %s has only the launches of its servers changed, and the same bytes again when that is undone',
  (_, client, write) => {
    const [location] = client.locations;
    if (location === undefined) throw new Error('no location');
    const located = [{ client, location, file: '/f' }] as const;
    let [edited, inserted] = [0, 0];
    fc.assert(
      fc.property(servers, looks, (list, choices) => {
        const text = write(list, chooser(choices));
        const { servers: found, problems } = readServers(text, located);
        if (problems.length > 0) throw new Error(`${JSON.stringify(problems)} in ${text}`);
        for (const server of found) {
          const wanted = list.find(({ name }) => name === server.entry.name);
          const launch =
            wanted?.command === undefined ? { url: wanted?.url } : { command: wanted.command, args: wanted.args ?? [] };
          expect([server.entry.problem, launchOf(server), text]).toEqual([undefined, launch, text]);
          if (wanted?.command !== undefined && Object.keys(wanted.env).length > 0) expect(server.entry.env).toEqual(wanted.env);
        }
        const edits = found.map((server) => {
          const becomes = server.entry.kind === 'remote' ? URL : COMMAND;
          return { server, edits: rewriteLaunch(server, becomes), becomes };
        });
        // It proves by other parsers that nothing else has changed, and throws if it has.
        const result = editServers(text, { located, servers: found }, edits);
        const changes = result.changes.flat();
        edited += changes.length;
        inserted += changes.filter(({ before }) => before === undefined).length;
        expect(editText(result.text, location.syntax, undoEdits(changes))).toMatchObject({ ok: true, text });
        // Another's comment and line around it stay.
        const around = location.syntax === 'json5' ? `${result.text}\n// z` : `${result.text}\n# z\n`;
        const undone = editText(around, location.syntax, undoEdits(changes));
        expect(undone).toMatchObject({ ok: true, text: around.replace(result.text, () => text) });
      }),
      { numRuns: runs(400) },
    );
    expect(edited).toBeGreaterThan(leastHits(600));
    expect(inserted).toBeGreaterThan(leastHits(60));
  },
);

describe('any text at all', () => {
  const part = fc.constantFrom(
    'a',
    'mcp_servers',
    'extensions',
    'mcp',
    'servers',
    '.',
    ':',
    ': ',
    ' = ',
    '\n',
    '  ',
    '- ',
    '"',
    "'",
    '"""',
    '[',
    ']',
    '{',
    '}',
    ',',
    '#',
    '&x ',
    '*x',
    '<<',
    '|',
    '>',
    '!',
    '\t',
    '\r',
    '\uFEFF',
    '(',
    ')',
    '1',
    '`',
    '/*',
    '//',
    '\\',
  );

  it.each(['codex', 'goose', 'continue', 'openclaw'].map(clientOf))('is read or refused with a place, for $name', (client) => {
    const [location] = client.locations;
    if (location === undefined) throw new Error('no location');
    fc.assert(
      fc.property(fc.array(part, { maxLength: 30 }), (parts) => {
        const text = `${parts.join('')}${location.tables[0]?.at(-1) ?? ''}`;
        const { problems } = readServers(text, [{ client, location, file: '/f' }]);
        for (const { problem } of problems)
          expect([problem.line >= 1, problem.column >= 1, problem.message !== '']).toEqual([true, true, true]);
      }),
      { numRuns: runs(500) },
    );
  });
});
