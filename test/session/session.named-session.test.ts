import { expect, it } from 'vitest';
import { createNamedSession } from '../../src/session/session.ts';

it('one word is one session, also after a restart, and its name says nothing of the word', () => {
  const { id } = createNamedSession('client:claude-code');
  expect(id()).toMatch(/^u-[0-9a-f]{16}$/);
  expect(createNamedSession('client:claude-code').id()).toBe(id());
  expect(createNamedSession('client:cursor').id()).not.toBe(id());
});

it('goes on under the name that it is found to have', () => {
  const session = createNamedSession('declared');
  const first = session.id();
  session.follow((name) => `${name}.2`);
  expect(session.id()).toBe(`${first}.2`);
  // What is asked is always which session the first one has become.
  session.follow((name) => `${name}.3`);
  expect(session.id()).toBe(`${first}.3`);
  expect(session.isGiven()).toBe(false);
});

it('becomes the session of servers that are in one, and says once what goes on there', () => {
  const session = createNamedSession('client:cursor', () => ['files']);
  const first = session.id();
  let going: string | undefined;
  const follow = (): string | undefined => session.follow((name, servers = []) => (servers.includes('files') && going) || name);
  expect([follow(), session.id()]).toEqual([undefined, first]);
  going = 's-1';
  expect([follow(), session.id()]).toEqual([first, 's-1']);
  expect([follow(), session.id()]).toEqual([undefined, 's-1']);
  // Another window of the client: what was in the one is not in the other.
  going = 's-2';
  expect([follow(), session.id()]).toEqual([undefined, 's-2']);
});
