import { describe, expect, it } from 'vitest';
import type { PinWrite } from '../../../src/core/registry/definition.ts';
import { instructionsDefinition } from '../../../src/core/registry/fingerprint.ts';
import { pinStatus } from '../../../src/core/registry/trust.ts';
import type { DefinitionNews } from '../../../src/gate/definitions/definition-news.ts';
import { ListComparison } from '../../../src/gate/definitions/list-comparison.ts';
import { ListReader, MOST_NAMES, type ReadPage } from '../../../src/gate/definitions/list-pages.ts';
import { ServerLaunch } from '../../../src/gate/definitions/server-launch.ts';
import { testSetup } from '../../support/gate.ts';
import { MemoryRegistry } from '../../support/memory-registry.ts';

const GOOD = { name: 'read_file', description: 'Reads a file' };
const EVIL = { name: 'read_file', description: 'Reads a file, and obeys' };

interface Page {
  readonly cursor?: string;
  readonly next?: string;
}

/** One connection to a server. */
class Fixture {
  readonly lists: ListComparison;
  readonly registry: MemoryRegistry;
  /** What was news so far. */
  readonly #news: DefinitionNews[] = [];
  readonly warnings: string[] = [];
  /** How many pages were read. */
  read = 0;

  constructor(pinning = '', registry: MemoryRegistry = new MemoryRegistry(), remote = false) {
    this.registry = registry;
    const ports = { registry, warn: (line: string): unknown => this.warnings.push(line) };
    const paths = { home: '/h', cwd: '/h', platform: 'posix', remote } as const;
    const setup = testSetup(`[pinning]\n${pinning}`, ports, { paths });
    this.lists = new ListComparison(setup, new ServerLaunch(setup));
  }

  /** @returns places of what is hidden */
  compare(tools: unknown, { cursor = '', next }: Page = {}): readonly number[] | undefined {
    const text = JSON.stringify({ tools, ...(next !== undefined && { nextCursor: next }) });
    return this.compareText(text, cursor);
  }

  compareText(text: string, cursor: string | undefined): readonly number[] | undefined {
    const read = (): ReadPage | undefined => {
      this.read++;
      return new ListReader().read({ kind: 'tool' }, text, Buffer.from(text));
    };
    const hidden = this.lists.compare({ kind: 'tool', member: 'tools', cursor, digest: text, read })?.hidden;
    return hidden && [...hidden].toSorted((a, b) => a - b);
  }

  status(name: string): string {
    return pinStatus(this.lists.pin('tool', name));
  }

  get news(): readonly DefinitionNews[] {
    this.#news.push(...this.lists.takeCompared().flatMap(({ news }) => news));
    return this.#news;
  }

  get seen(): readonly unknown[] {
    return this.news.map(({ seen: { name, status } }) => `${name} ${status}`);
  }

  get changed(): readonly unknown[] {
    return this.news.flatMap(({ changed }) => changed ?? []);
  }
}

const HIDE = 'on_change = "hide"';

describe('a whole list', () => {
  it('that is as it was trusted is not read again, by any connection', () => {
    const first = new Fixture();
    first.compare([GOOD]);
    first.compare([GOOD]);
    const second = new Fixture('', first.registry);
    second.compare([GOOD]);
    expect([first.read, second.read]).toEqual([1, 0]);
    expect(second.status('read_file')).toBe('pinned');
  });

  it('hazard 37: that is not is read each time, and told each time', () => {
    const fixture = new Fixture();
    fixture.compare([GOOD]);
    for (let time = 0; time < 3; time++) fixture.compare([EVIL]);
    expect(fixture.read).toBe(4);
    expect(fixture.seen).toEqual(['read_file new', 'read_file changed', 'read_file changed', 'read_file changed']);
    expect(fixture.changed).toHaveLength(3);
  });

  it('is known again after it was another one', () => {
    const fixture = new Fixture();
    fixture.compare([GOOD]);
    fixture.compare([EVIL]);
    expect(fixture.status('read_file')).toBe('changed');
    // Another connection has the trusted list, which need not be read here then.
    new Fixture('', fixture.registry).compare([GOOD]);
    fixture.compare([GOOD]);
    expect(fixture.read).toBe(2);
    expect(fixture.status('read_file')).toBe('pinned');
  });

  it('of a remote server is that of whichever connection has seen it changed', () => {
    const first = new Fixture('', undefined, true);
    first.compare([GOOD]);
    const second = new Fixture('', first.registry, true);
    second.compare([EVIL]);
    expect([first.status('read_file'), second.status('read_file')]).toEqual(['changed', 'changed']);
    first.compare([GOOD]);
    expect([first.status('read_file'), second.status('read_file')]).toEqual(['pinned', 'changed']);
  });

  it('is that of this connection, whatever others list', () => {
    const good = new Fixture();
    good.compare([GOOD]);
    const other = new Fixture('', good.registry);
    other.compare([EVIL]);
    expect([good.status('read_file'), other.status('read_file')]).toEqual(['pinned', 'changed']);
  });

  it('is what a call is judged by, also where another process keeps another one', () => {
    const here = new Fixture();
    here.compare([GOOD]);
    const there = new Fixture('', here.registry);
    const transaction = {};
    expect(here.lists.facts('tool', 'read_file', transaction).definition()).toContain('"Reads a file"');
    there.compare([EVIL]);
    expect(there.lists.facts('tool', 'read_file', {}).definition()).toContain('obeys');
    // What is trusted is kept, what only this one has seen is not.
    expect(here.lists.facts('tool', 'read_file', {}).definition()).toContain('"Reads a file"');
    here.compare([{ ...EVIL, title: 'x' }]);
    there.compare([EVIL]);
    expect(here.lists.facts('tool', 'read_file', {}).definition()).toBeUndefined();
  });

  it('is looked up once in a transaction', () => {
    const here = new Fixture();
    here.compare([GOOD]);
    const transaction = {};
    const first = here.lists.facts('tool', 'read_file', transaction);
    expect(here.lists.facts('tool', 'read_file', transaction)).toBe(first);
    expect(here.lists.facts('tool', 'read_file', {})).not.toBe(first);
    here.compare([EVIL]);
    expect(here.lists.facts('tool', 'read_file', transaction).status).toBe('changed');
  });

  it('hides what is not trusted, by its place', () => {
    const fixture = new Fixture(HIDE);
    expect(fixture.compare([GOOD, { name: 'b' }])).toEqual([]);
    expect(fixture.compare([1, EVIL, { name: 'b' }, null, GOOD, { name: 'c' }])).toEqual([0, 1, 3, 4]);
    expect(new Fixture(`${HIDE}\ntrust_first_use = false`).compare([GOOD])).toEqual([0]);
    expect(new Fixture('trust_first_use = false').compare([GOOD])).toEqual([]);
    expect(new Fixture(`${HIDE}\nenabled = false\ntrust_first_use = false`).compare([GOOD])).toEqual([]);
  });

  it.each(['{"tools":[{"name":"read_file","x":"\\x"}]}', '[]', '1'])(
    'that can not be read makes everything doubtful: %s',
    (text) => {
      const fixture = new Fixture(HIDE);
      fixture.compare([GOOD]);
      expect(fixture.compareText(text, '')).toBeUndefined();
      expect([fixture.status('read_file'), fixture.status('other')]).toEqual(['changed', 'changed']);
      expect(pinStatus(fixture.lists.pin('prompt', 'other'))).toBe('unlisted');
      fixture.compare([GOOD]);
      expect(fixture.status('read_file')).toBe('pinned');
    },
  );
});

describe('the pages of a list', () => {
  it('hazard 37: every page is compared', () => {
    const fixture = new Fixture(HIDE);
    fixture.compare([GOOD], { next: 'x' });
    fixture.compare([{ name: 'b' }], { cursor: 'cx' });
    fixture.compare([GOOD], { next: 'x' });
    expect(fixture.compare([{ name: 'b', description: 'other' }], { cursor: 'cx' })).toEqual([0]);
    expect(fixture.compareText(JSON.stringify({ tools: [EVIL] }), undefined)).toEqual([0]);
    expect(fixture.registry.pin('files', 'tool', 'b')?.isListed).toBe(true);
  });

  it('what none of them had is gone', () => {
    const fixture = new Fixture();
    fixture.compare([GOOD, { name: 'b' }, { name: 'c' }]);
    fixture.compare([GOOD], { next: 'x' });
    expect(fixture.registry.pin('files', 'tool', 'b')?.isListed).toBe(true);
    // A client that makes up a cursor of its own learns nothing of the list, and neither do we.
    fixture.compare([], { cursor: 'cmade up' });
    expect(fixture.registry.pin('files', 'tool', 'b')?.isListed).toBe(true);
    fixture.compare([{ name: 'b' }], { cursor: 'cx' });
    expect(fixture.registry.pin('files', 'tool', 'b')?.isListed).toBe(true);
    expect(fixture.registry.pin('files', 'tool', 'c')?.isListed).toBe(false);
  });

  it.each([
    ['first', EVIL, GOOD],
    ['second', GOOD, EVIL],
  ])('a changed definition does not hide behind the trusted one on another page: the %s', (_which, first, second) => {
    for (const last of [[], [GOOD], [EVIL, GOOD]]) {
      const fixture = new Fixture(HIDE);
      fixture.compare([GOOD]);
      fixture.compare([first], { next: 'x' });
      expect(fixture.compare([second], { cursor: 'cx', next: 'y' })).toEqual([0]);
      expect(fixture.compare(last, { cursor: 'cy' })).toEqual([...last.keys()]);
      expect(fixture.status('read_file')).toBe('changed');
      fixture.compare([GOOD]);
      expect(fixture.status('read_file')).toBe('pinned');
    }
  });

  it('the same page without end takes no more room each time', () => {
    const fixture = new Fixture();
    fixture.compare([GOOD], { next: 'x' });
    for (let page = 0; page < 50; page++) fixture.compare([page % 2 === 0 ? EVIL : GOOD], { cursor: 'cx', next: 'x' });
    expect(fixture.status('read_file')).toBe('changed');
    expect(fixture.registry.text('files', 'tool', 'read_file', 'seen')?.length).toBeLessThan(300);
  });

  it(
    'ever new names without end: what can not be remembered is not trusted, what can be still is known',
    { tags: 'long' },
    () => {
      const fixture = new Fixture();
      fixture.compare([GOOD, { name: 'late' }]);
      const second = new Fixture('', fixture.registry);
      const names = (page: number): readonly unknown[] =>
        Array.from({ length: MOST_NAMES / 4 }, (_, index) => ({ name: `${page}.${index}` }));
      second.compare([GOOD], { next: 'x' });
      for (let page = 0; page < 5; page++) second.compare(names(page), { cursor: 'cx', next: 'x' });
      expect([second.status('read_file'), second.status('late'), second.status('4.4999')]).toEqual([
        'pinned',
        'changed',
        'changed',
      ]);
      second.compare([EVIL], { cursor: 'cx', next: 'x' });
      expect(second.status('read_file')).toBe('changed');
    },
  );
});

describe('more than is kept', () => {
  /** Keeps one definition of each kind. */
  class Small extends MemoryRegistry {
    override write(server: string, writes: readonly PinWrite[]): void {
      for (const write of writes) {
        if (this.pins(server, write.kind).size < 1 || this.pin(server, write.kind, write.name) !== undefined)
          super.write(server, [write]);
      }
    }
  }

  it('is denied and hidden, and not news each time', () => {
    const fixture = new Fixture(HIDE, new Small());
    for (let time = 0; time < 2; time++) expect(fixture.compare([GOOD, { name: 'b' }, { name: 'c' }])).toEqual([1, 2]);
    expect(['read_file', 'b', 'unheard_of'].map((name) => fixture.status(name))).toEqual(['pinned', 'changed', 'changed']);
    expect(fixture.seen).toEqual(['read_file new']);
    expect(fixture.warnings).toEqual([expect.stringContaining('lists more definitions than clawai keeps')]);
    expect(fixture.read).toBe(2);
    fixture.compare([GOOD]);
    fixture.compare([GOOD]);
    expect([fixture.status('read_file'), fixture.status('unheard_of')]).toEqual(['pinned', 'unlisted']);
  });

  it('a name of more than 1,024 units is no name', () => {
    const fixture = new Fixture(HIDE);
    expect(fixture.compare([{ name: 'x'.repeat(1024) }, { name: 'y'.repeat(1025) }])).toEqual([1]);
    expect(['x'.repeat(1024), 'y'.repeat(1025)].map((name) => fixture.status(name))).toEqual(['pinned', 'changed']);
    expect(fixture.news[0]?.seen.problem).toContain('has a name of 1025 characters');
  });
});

describe('instructions', () => {
  it('are a list of one', () => {
    const fixture = new Fixture();
    const status = (): string => pinStatus(fixture.lists.pin('instructions', ''));
    expect(status()).toBe('unlisted');
    fixture.lists.compareInstructions(instructionsDefinition('Be kind'));
    expect(status()).toBe('pinned');
    fixture.lists.compareInstructions(instructionsDefinition('Obey'));
    expect(status()).toBe('changed');
    expect(fixture.changed).toMatchObject([{ kind: 'instructions', name: '', action: 'deny' }]);
  });
});
