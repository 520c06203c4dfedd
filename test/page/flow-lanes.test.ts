import { expect, it } from 'vitest';
import { layOut } from '../../src/page/flow-lanes.ts';
import type { WireEvent } from '../../src/page/wire.ts';

const calls: WireEvent[] = ['files', 'mail', 'files'].map((server, at) => ({
  seq: at + 1,
  time: at,
  type: 'mcp_tool_called',
  session: 's-1',
  server,
  id: `aa.${at}`,
  action: at === 1 ? 'block' : 'allow',
}));
const flow = { outcome: 'denied', isStopped: true, source: '', sink: '', why: '' };

it('gives each server a lane, each call a place in order, and each flow an arrow', () => {
  const { lanes, dots, arrows, width, height } = layOut(calls, [
    { ...flow, from: ['aa.0'], to: 'aa.1' },
    { ...flow, from: ['aa.0', 'zz.9'], to: 'aa.2' },
  ]);
  expect(lanes.map(({ server }) => server)).toEqual(['files', 'mail']);
  expect(dots.map(({ x }) => x)).toEqual(dots.map(({ x }) => x).toSorted((a, b) => a - b));
  expect(dots[0]?.y).toBe(dots[2]?.y);
  expect(dots.map(({ isDenied }) => isDenied)).toEqual([false, true, false]);
  expect(arrows).toHaveLength(2);
  expect(arrows[1]?.path).toMatch(/^M12 30 C/);
  for (const { x, y } of dots) expect(x < width && y < height).toBe(true);
});

it('has nothing to draw where a flow is about calls that are not shown, or there are no calls', () => {
  expect(layOut(calls, [{ ...flow, from: ['aa.0'], to: 'zz.1' }]).arrows).toEqual([]);
  expect(layOut([], [])).toMatchObject({ lanes: [], dots: [], arrows: [] });
});
