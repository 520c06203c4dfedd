import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { StoreFollower } from '../../../src/store/reading/read-follow.ts';
import { recordedCall, RecordedStore } from '../../support/recorded-store.ts';

let folder: string;
let file: string;
let follower: StoreFollower;

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'clawai-follow-'));
  file = join(folder, 'clawai.db');
  follower = new StoreFollower(file);
});
afterEach(() => {
  follower.close();
  rmSync(folder, { recursive: true });
});

function added(query = {}): (string | null)[] {
  return [...follower.added(query)].map(({ tool }) => tool);
}

it('finds each event once', () => {
  const store = new RecordedStore(file);
  store.add(recordedCall({ tool_name: 'before' }));
  expect(follower.begin()?.last).toBe(1);
  expect(added()).toEqual([]);
  store.add(recordedCall({ tool_name: 'one' }));
  store.add(recordedCall({ tool_name: 'two' }));
  expect(added()).toEqual(['one', 'two']);
  expect(added()).toEqual([]);
  store.add(recordedCall({ tool_name: 'three', action: 'block' }));
  store.add(recordedCall({ tool_name: 'four' }));
  expect(added({ action: 'block' })).toEqual(['three']);
  expect(added()).toEqual([]);
  store.close();
});

it('goes on where whoever asked stopped in the middle', () => {
  const store = new RecordedStore(file);
  follower.begin();
  store.add(recordedCall({ tool_name: 'one' }));
  store.add(recordedCall({ tool_name: 'two' }));
  for (const { tool } of follower.added({})) {
    expect(tool).toBe('one');
    break;
  }
  expect(added()).toEqual(['two']);
  store.close();
});

it('waits for a store that is not there yet', () => {
  expect(follower.begin()).toBeUndefined();
  expect(added()).toEqual([]);
  const store = new RecordedStore(file);
  expect(added()).toEqual([]);
  store.add(recordedCall({ tool_name: 'first' }));
  expect(added()).toEqual(['first']);
  store.close();
});

it('survives that the store is deleted and made anew, and shows all of the new one', () => {
  const store = new RecordedStore(file);
  for (let i = 0; i < 5; i += 1) store.add(recordedCall());
  follower.begin();
  store.close();
  for (const suffix of ['', '-wal', '-shm']) rmSync(file + suffix, { force: true });
  expect(added()).toEqual([]);
  const other = new RecordedStore(file);
  other.add(recordedCall({ tool_name: 'new' }));
  expect(added()).toEqual(['new']);
  other.close();
});

it('survives that all events are erased, after which their numbers begin again', () => {
  const store = new RecordedStore(file);
  for (let i = 0; i < 5; i += 1) store.add(recordedCall());
  follower.begin();
  store.edit('DELETE FROM events');
  expect(added()).toEqual([]);
  store.add(recordedCall({ tool_name: 'new' }));
  expect(added()).toEqual(['new']);
  store.close();
});
