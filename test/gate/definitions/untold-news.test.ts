import { expect, it } from 'vitest';
import type { Sight, SightStatus } from '../../../src/core/registry/definition.ts';
import { UntoldNews } from '../../../src/gate/definitions/untold-news.ts';
import { testSetup } from '../../support/gate.ts';
import { MemoryRegistry } from '../../support/memory-registry.ts';
import { defined } from '../../support/registered.ts';

const sight = (name: string, status: SightStatus, text = 'Fine.') => ({ definition: defined(name, text), status });

/** Two processes of one store. */
function two(): readonly [UntoldNews, UntoldNews, MemoryRegistry] {
  const registry = new MemoryRegistry();
  const setup = testSetup('', { registry });
  const launch = { scope: setup.server };
  return [new UntoldNews(setup, launch), new UntoldNews(setup, launch), registry];
}

it('what was never told is news for whoever lists it next, as long as it is that', () => {
  const [first, second] = two();
  first.add([sight('a', 'new'), sight('b', 'returned')]);
  const listed = [sight('a', 'unchanged'), sight('b', 'unchanged', 'Other.'), sight('c', 'unchanged')];
  expect(second.recall(listed).map(({ status }) => status)).toEqual(['new', 'unchanged', 'unchanged']);
});

it('each of it is told once, by whoever comes first', () => {
  const [first, second, registry] = two();
  const news = [sight('a', 'new'), sight('b', 'new')];
  first.add(news);
  expect(second.take(second.recall([sight('a', 'unchanged')])).size).toBe(1);
  expect([...first.take(news)]).toEqual([news[1]]);
  expect([...first.take(news)]).toEqual([]);
  expect(registry.untold('files')).toBeUndefined();
});

it('one definition may be news more than once before anything is told', () => {
  const [first] = two();
  const news = [sight('a', 'new'), sight('a', 'restored')];
  first.add(news);
  expect([...first.take(news)]).toEqual(news);
});

it('what has changed is told each time, and need not be kept; nor is more than anybody wants to read', () => {
  const [first, , registry] = two();
  expect(first.add([sight('a', 'changed')]).size).toBe(0);
  expect(registry.untold('files')).toBeUndefined();
  const many = Array.from({ length: 2001 }, (_, at) => sight(`t${at}`, 'new'));
  expect(first.add(many).has(many[2000] as Sight)).toBe(false);
  expect(first.take(many).size).toBe(2000);
});

it('a page that has something in it which was never told is not known as it is', () => {
  const [first, , registry] = two();
  registry.writePage('files', 'tool', '', 'digest');
  registry.writePage('files', 'prompt', '', 'digest');
  first.add([sight('a', 'new')]);
  expect([registry.page('files', 'tool', ''), registry.page('files', 'prompt', '')]).toEqual([undefined, 'digest']);
});
