import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { HiddenWatch } from '../../../src/gate/definitions/hidden-watch.ts';
import type { ChangingList } from '../../../src/gate/messages/list-methods.ts';
import { PendingRequests } from '../../../src/gate/messages/pending.ts';
import { ServerLaunch } from '../../../src/gate/definitions/server-launch.ts';
import { Recorder } from '../../../src/gate/recorder.ts';
import { testSetup } from '../../support/gate.ts';
import { MemoryRegistry } from '../../support/memory-registry.ts';
import { sighted } from '../../support/registered.ts';

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

const TOOLS = '{"jsonrpc":"2.0","method":"notifications/tools/list_changed"}\n';

const NO_REQUEST = {
  spelling: undefined,
  method: 'subscriptions/listen',
  deny: undefined,
  batch: undefined,
  isCancelled: false,
};

function watching() {
  const registry = new MemoryRegistry();
  registry.write('files', [sighted('a', 'Fine.', { isPinned: true }), sighted('b', 'Fine.')]);
  const setup = testSetup('', { registry });
  const recorder = new Recorder(setup.ports);
  const fromClient = new PendingRequests();
  const client = { fromClient, isLegacy: false, isModern: false, hides: () => true, launch: new ServerLaunch(setup) };
  const watch = new HiddenWatch(setup, recorder, client);
  const hide = (): void => {
    recorder.open();
    recorder.within(() => watch.note('tool'));
    recorder.close();
  };
  const pass = (): Promise<unknown> => vi.advanceTimersByTimeAsync(3000);
  const subscribe = (key: string, ...lists: ChangingList[]): void =>
    fromClient.add({ ...NO_REQUEST, key, listening: new Set(lists) });
  return { registry, watch, hide, pass, client, subscribe, told: [] as string[] };
}

it('the client is told once when what was hidden is approved, and not of what was approved before', async () => {
  const { registry, watch, hide, pass, told } = watching();
  registry.approve('files', 'tool', 'a');
  watch.listen((line) => told.push(line));
  hide();
  await pass();
  expect(told).toEqual([]);
  registry.approve('files', 'tool', 'b');
  await pass();
  await pass();
  expect(told).toEqual([TOOLS]);
  expect(vi.getTimerCount()).toBe(0);
});

it('looks nothing up while nothing is hidden, or nobody listens', () => {
  const { watch, hide, told } = watching();
  const stop = watch.listen((line) => told.push(line));
  expect(vi.getTimerCount()).toBe(0);
  hide();
  expect(vi.getTimerCount()).toBe(1);
  stop();
  expect(vi.getTimerCount()).toBe(0);
});

it('whoever has no way to be told meanwhile is told when there is one, and of several ways the latest is taken', async () => {
  const { registry, watch, hide, pass, told } = watching();
  hide();
  registry.approve('files', 'tool', 'b');
  await pass();
  watch.listen((line) => told.push(`old ${line}`));
  watch.listen((line) => told.push(`new ${line}`));
  await pass();
  expect(told).toEqual([`new ${TOOLS}`]);
});

it('in the modern era those are told who have subscribed to the list, by their id, and else nobody', async () => {
  const { registry, watch, hide, pass, client, subscribe, told } = watching();
  client.isModern = true;
  watch.listen((line) => told.push(line));
  hide();
  registry.approve('files', 'tool', 'b');
  await pass();
  expect(told).toEqual([]);
  subscribe('"listen:1"', 'prompts');
  await pass();
  expect(told).toEqual([]);
  subscribe('"listen:2"', 'tools', 'prompts');
  await pass();
  const params = { _meta: { 'io.modelcontextprotocol/subscriptionId': 'listen:2' } };
  expect(told.map((line) => JSON.parse(line))).toEqual([{ jsonrpc: '2.0', method: 'notifications/tools/list_changed', params }]);
});

it('a way beside which no lists come is told of all that is approved, each time', async () => {
  const { registry, watch, pass, told } = watching();
  const stop = watch.listen((line) => told.push(line), true);
  await pass();
  expect(told).toEqual([]);
  for (const name of ['a', 'b']) {
    registry.approve('files', 'tool', name);
    await pass();
  }
  expect(told).toEqual([TOOLS, TOOLS]);
  stop();
  expect(vi.getTimerCount()).toBe(0);
});
