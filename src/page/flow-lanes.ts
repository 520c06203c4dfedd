import type { WireEvent, WireFlow } from './wire.ts';

/** The calls of a session as a picture: one lane for each server, one column for each call, an arrow for each flow. */
export interface Lanes {
  readonly width: number;
  readonly height: number;
  readonly lanes: readonly { readonly server: string; readonly y: number }[];
  readonly dots: readonly { readonly event: WireEvent; readonly x: number; readonly y: number; readonly isDenied: boolean }[];
  /** `path` is one of SVG. */
  readonly arrows: readonly { readonly path: string; readonly flow: WireFlow }[];
}

const COLUMN = 18;
const LANE = 44;
const LEFT = 12;
const TOP = 30;

/** Lays out calls, oldest first, and the flows between them. A flow of a call that is not shown is left out. */
export function layOut(calls: readonly WireEvent[], flows: readonly WireFlow[]): Lanes {
  const servers = [...new Set(calls.map(({ server }) => server))];
  const lanes = servers.map((server, at) => ({ server, y: TOP + at * LANE }));
  const dots = calls.map((event, at) => ({
    event,
    x: LEFT + at * COLUMN,
    y: TOP + servers.indexOf(event.server) * LANE,
    isDenied: event.action?.startsWith('block') === true,
  }));
  const places = new Map(dots.flatMap((dot) => (dot.event.id === undefined ? [] : [[dot.event.id, dot] as const])));
  const arrows = flows.flatMap((flow) => {
    const end = places.get(flow.to);
    if (end === undefined) return [];
    return flow.from.flatMap((id) => {
      const start = places.get(id);
      return start === undefined ? [] : [{ path: curve(start, end), flow }];
    });
  });
  return {
    width: LEFT * 2 + Math.max(0, calls.length - 1) * COLUMN + COLUMN,
    height: TOP + servers.length * LANE,
    lanes,
    dots,
    arrows,
  };
}

interface Point {
  readonly x: number;
  readonly y: number;
}

function curve(from: Point, to: Point): string {
  // Within one lane, a straight line would lie upon the calls between.
  const bend = from.y === to.y ? -18 : 0;
  const middle = (from.x + to.x) / 2;
  return `M${from.x} ${from.y} C${middle} ${from.y + bend} ${middle} ${to.y + bend} ${to.x} ${to.y}`;
}
