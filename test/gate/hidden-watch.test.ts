import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { HiddenWatch } from '../../src/gate/hidden-watch.ts';
import { Recorder } from '../../src/gate/recorder.ts';
import { testSetup } from '../support/gate.ts';
import { MemoryRegistry } from '../support/memory-registry.ts';
import { sighted } from '../support/registered.ts';

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

const TOOLS = '{"jsonrpc":"2.0","method":"notifications/tools/list_changed"}\n';

function watching() {
  const registry = new MemoryRegistry();
  registry.write('files', [sighted('a', 'Fine.', { isPinned: true }), sighted('b', 'Fine.')]);
  const setup = testSetup('', { registry });
  const recorder = new Recorder(setup.ports);
  const watch = new HiddenWatch(setup, recorder, { scope: 'files' });
  const hide = (): void => {
    recorder.open();
    recorder.within(() => watch.note('tool'));
    recorder.close();
  };
  const pass = (): Promise<unknown> => vi.advanceTimersByTimeAsync(3000);
  return { registry, watch, hide, pass, told: [] as string[] };
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
