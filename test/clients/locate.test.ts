import { chmodSync, mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { STRICT, type Client, type Location, type Machine } from '../../src/clients/client.ts';
import { locateFiles, locatePolicies, presentClients } from '../../src/clients/locate.ts';

let home: string;

beforeEach(() => {
  // What stands in the path of a home is no pattern.
  home = join(mkdtempSync(join(tmpdir(), 'clawai-locate-')), 'a*b');
  mkdirSync(home);
});

afterEach(() => {
  rmSync(dirname(home), { recursive: true, force: true });
});

function put(...files: readonly string[]): void {
  for (const file of files) {
    mkdirSync(dirname(join(home, file)), { recursive: true });
    writeFileSync(join(home, file), '{}');
  }
}

function machine(env: Machine['env'] = {}): Machine {
  return { env, platform: 'linux', home };
}

function client(id: string, ...files: readonly Location['file'][]): Client {
  const locations = files.map((file, index): Location => ({
    id: String(index),
    scope: 'user',
    file,
    syntax: STRICT,
    tables: [['mcpServers']],
    shape: { stdio: 'command', env: 'env', urls: ['url'] },
    lock: { kind: 'none' },
  }));
  return { id, name: id, infoName: /^x/, isDesktopApp: false, locations };
}

function found(file: Location['file'], env: Machine['env'] = {}, projects: readonly string[] = []): readonly string[] {
  return locateFiles([client('c', file)], machine(env), projects).map((located) => located.file.replace(`${home}/`, ''));
}

describe('locateFiles', () => {
  it('finds what is there', () => {
    put('.a/one.json');
    expect(found(['~/.a/one.json'])).toEqual(['.a/one.json']);
    expect(found(['~/.a/two.json'])).toEqual([]);
    expect(found(['~/.a'])).toEqual([]);
    expect(found(['~/.a/one.json/x'])).toEqual([]);
  });

  it('finds names that match, in order', () => {
    put('p/Claude_b/x.json', 'p/Claude_a/x.json', 'p/Claude_c/y.json', 'p/Other/x.json', 'p/Claude_/x.json');
    expect(found(['~/p/Claude_*/x.json'])).toEqual(['p/Claude_/x.json', 'p/Claude_a/x.json', 'p/Claude_b/x.json']);
    expect(found(['~/p/*/x.json'])).toHaveLength(4);
  });

  it('looks some folders deep, not among dependencies and not through links', () => {
    put('c/.mcp.json', 'c/m/p/1.0/.mcp.json', 'c/m/node_modules/x/.mcp.json', 'c/1/2/3/4/5/.mcp.json', 'c/1/2/3/4/5/6/.mcp.json');
    symlinkSync(join(home, 'c'), join(home, 'c', 'circle'));
    expect(found(['~/c/**/.mcp.json'])).toEqual(['c/.mcp.json', 'c/1/2/3/4/5/.mcp.json', 'c/m/p/1.0/.mcp.json']);
  });

  it('a link counts, dangling or not, and is not followed', () => {
    put('real.json');
    symlinkSync(join(home, 'real.json'), join(home, 'link.json'));
    symlinkSync(join(home, 'nowhere.json'), join(home, 'dangling.json'));
    expect(found(['~/link.json'])).toEqual(['link.json']);
    expect(found(['~/dangling.json'])).toEqual(['dangling.json']);
  });

  it("looks into every project for a project's file", () => {
    put('p1/.mcp.json', 'p2/x', 'p3/.mcp.json');
    const projects = ['p1', 'p2', 'p3', 'p1'].map((name) => join(home, name));
    expect(found(['<project>/.mcp.json'], {}, projects)).toEqual(['p1/.mcp.json', 'p3/.mcp.json']);
    expect(found(['<project>/.mcp.json'])).toEqual([]);
  });

  it('the first template whose variable is set counts, whether or not its file is there', () => {
    put('.claude.json', 'v/.claude.json');
    const templates = ['$V/.claude.json', '~/.claude.json'];
    expect(found(templates, { V: join(home, 'v') })).toEqual(['v/.claude.json']);
    expect(found(templates, { V: join(home, 'w') })).toEqual([]);
    expect(found(templates, { V: '' })).toEqual(['.claude.json']);
    expect(found(templates, { V: 'v' })).toEqual(['.claude.json']);
  });

  it('lists a file for each client that reads it', () => {
    put('x.json');
    const clients = [client('a', ['~/x.json'], ['~/y.json']), client('b', ['~/x.json'])];
    expect(locateFiles(clients, machine(), []).map((located) => `${located.client.id} ${located.location.id}`)).toEqual([
      'a 0',
      'b 0',
    ]);
  });

  it.skipIf(process.getuid?.() === 0)('passes over folders that it may not look into', () => {
    put('closed/x.json');
    chmodSync(join(home, 'closed'), 0);
    expect(found(['~/closed/x.json'])).toEqual([]);
    expect(found(['~/closed/*'])).toEqual([]);
    chmodSync(join(home, 'closed'), 0o700);
  });
});

describe('presentClients', () => {
  it("are those with a folder, or a file right in the home, that is the user's", () => {
    const clients = [
      client('folder', ['~/.folder/mcp.json']),
      client('file', ['~/.file.json']),
      client('pattern', ['~/.pattern/*/x/mcp.json']),
      client('none', ['~/.none/mcp.json']),
      client('home', ['~/.home.json']),
      client('variable', ['$NOT_SET/mcp.json']),
    ];
    put('.folder/other.json', '.file.json', '.pattern/y');
    expect([...presentClients(clients, machine())]).toEqual(['folder', 'file', 'pattern']);
  });
});

describe('locatePolicies', () => {
  it("finds administrators' files", () => {
    put('managed.json');
    const remark = { id: 'allow-list', text: 'x' } as const;
    const policyFiles = [{ file: ['~/managed.json'], syntax: STRICT, keys: ['k'], remark }];
    expect(locatePolicies([{ ...client('c'), policyFiles }], machine()).map(({ file }) => file)).toEqual([
      join(home, 'managed.json'),
    ]);
  });
});
