import { describeEvidence, quoteName } from '../../core/flow/words.ts';
import { countOfThings, formatShortTime } from '../terminal/layout.ts';
import { visible } from '../terminal/text.ts';
import { inTime, OUTCOMES, whyWords } from './chain-words.ts';
import type { Outcome, RelatedCall } from './chains.ts';
import type { FlowGroup, SessionReport } from './report.ts';

/** Chains that are drawn at once; the others are behind a line that opens them. */
const DRAWN = 12;

/** Measures of the drawing, in pixels. */
const ROW = 26;
const LINE = 20;
const LANE = 14;
const EDGE = 8;
/** Arcs beside each other; more share the outermost lane. */
const MOST_LANES = 6;

/** Characters of a line. */
const LONGEST_LINE = 1000;

/** Red: it was stopped. Green: a person allowed it. Amber: it went on, or nobody knows. */
const CLASSES: Readonly<Record<Outcome, string>> = {
  denied: 'stop',
  refused: 'stop',
  unanswered: 'stop',
  allowed: 'yes',
  asked: 'look',
  observed: 'look',
  passed: 'look',
};

const CSS = `
:root{color-scheme:light dark;--ink:#1f2328;--soft:#59636e;--page:#fff;--line:#d1d9e0;--stop:#b3202c;--look:#855300;--yes:#116329}
@media(prefers-color-scheme:dark){:root{--ink:#e6edf3;--soft:#9198a1;--page:#0d1117;--line:#3d444d;--stop:#ff7b72;--look:#d9a33b;--yes:#4ac26b}}
*{box-sizing:border-box}
body{margin:0 auto;padding:1.25rem;max-width:60rem;background:var(--page);color:var(--ink);font:15px/20px system-ui,sans-serif}
h1{font-size:1.3rem;margin:0 0 .25rem}h2{font-size:1.05rem;margin:1.75rem 0 .75rem}
p{margin:.25rem 0}summary{cursor:pointer;margin:1rem 0}pre{white-space:pre-wrap;overflow-wrap:anywhere;font:13px/1.5 ui-monospace,monospace}
.flow{display:flex;gap:.5rem}.flow svg{flex:none;overflow:visible}
.flow ol{list-style:none;margin:0;padding:0;min-width:0;flex:1}
.flow li{overflow:hidden}.flow div{height:${LINE}px;overflow:hidden;white-space:nowrap;text-overflow:ellipsis}
.flow .call{height:${ROW}px;line-height:${ROW}px}.flow time{color:var(--soft);font-variant-numeric:tabular-nums;margin-right:.6em}
.soft{color:var(--soft)}.stop{--mark:var(--stop)}.look{--mark:var(--look)}.yes{--mark:var(--yes)}
.flow b{color:var(--mark)}path{fill:none;stroke:var(--mark);stroke-width:2}circle{fill:var(--page);stroke:var(--soft);stroke-width:2}
polygon{fill:var(--mark)}
`.trim();

/** The report as a page for a browser: nothing in it runs, and it loads nothing. @param text the report for terminals, without colour */
export function formatPage(report: SessionReport, text: string, now: number): string {
  const { flows, flows_left_off: leftOff, session_id: session, started, ended } = report;
  const title = session === null ? 'All sessions of a time' : `Session ${session}`;
  const more = flows.slice(DRAWN);
  return `${[
    '<!DOCTYPE html>',
    '<html lang="en">',
    '<meta charset="utf-8">',
    `<meta http-equiv="Content-Security-Policy" content="default-src 'none'; style-src 'unsafe-inline'">`,
    '<meta name="viewport" content="width=device-width, initial-scale=1">',
    `<title>${escape(title)}: clawai report</title>`,
    `<style>${CSS}</style>`,
    `<h1>${escape(title)}</h1>`,
    started === null
      ? ''
      : `<p class="soft">${[started, ended].map((time) => formatShortTime(Date.parse(time ?? ''), now)).join(' to ')}</p>`,
    '<h2>Values and their ways</h2>',
    flows.length === 0 ? '<p>No flow was found.</p>' : drawFlows(flows.slice(0, DRAWN), now),
    more.length === 0 ? '' : `<details><summary>${more.length} more</summary>${drawFlows(more, now)}</details>`,
    leftOff === 0 ? '' : `<p>… and ${countOfThings(leftOff, 'finding')} that are not drawn.</p>`,
    '<h2>All of the report</h2>',
    `<pre>${escape(text)}</pre>`,
    '</html>',
  ]
    .filter((part) => part !== '')
    .join('\n')}\n`;
}

/** A call in the drawing, with its place from the top. */
interface Row {
  readonly time: number;
  readonly call: Pick<RelatedCall, 'server_id' | 'tool_name'>;
  /** The chains that end in it. */
  readonly ends: FlowGroup[];
}

/** Draws chains as the calls that they link, in the order of time, and an arc from each source to each sink. */
function drawFlows(flows: readonly FlowGroup[], now: number): string {
  const byCall = new Map<string, Row>();
  const rowOf = (call: Omit<RelatedCall, 'category'>): Row => {
    const { call_id: id, server_id: server, tool_name: tool, timestamp } = call;
    const key = JSON.stringify(id === '' ? [server, tool, timestamp] : [id]);
    const row = byCall.get(key) ?? { time: Date.parse(timestamp ?? ''), call, ends: [] };
    byCall.set(key, row);
    return row;
  };
  const links = inTime(flows).map((flow) => {
    const from = flow.source === null ? undefined : rowOf(flow.source);
    const to = rowOf(flow);
    to.ends.push(flow);
    return { from, to, flow };
  });
  const rows = [...byCall.values()].toSorted((one, other) => (one.time || 0) - (other.time || 0));
  const tops = new Map<Row, number>();
  let height = 0;
  for (const row of rows) {
    tops.set(row, height);
    height += ROW + LINE * (1 + 2 * row.ends.length);
  }
  const middleOf = (row: Row): number => (tops.get(row) ?? 0) + ROW / 2;
  const arcs = links.flatMap(({ from, to, flow }) =>
    from === undefined || from === to ? [] : [{ start: middleOf(from), end: middleOf(to), flow }],
  );
  const lanes = lanesOf(arcs);
  const width = EDGE * 2 + LANE * Math.max(1, ...lanes.map((lane) => lane + 1));
  const drawn = arcs.map((arc, i) => drawArc(arc, { x: width - EDGE, lane: lanes[i] ?? 0 }));
  const dots = rows.map((row) => `<circle cx="${width - EDGE}" cy="${middleOf(row)}" r="4"/>`);
  const isOneDay = new Set(rows.map(({ time }) => new Date(time).toDateString())).size === 1;
  const label = escape(countOfThings(flows.length, 'way of a value'));
  return [
    `<div class="flow" style="min-height:${height}px">`,
    `<svg width="${width}" height="${height}" viewBox="0 0 ${width} ${height}" role="img" aria-label="${label}">${drawn.join('')}${dots.join('')}</svg>`,
    `<ol>${rows.map((row) => drawRow(row, { now, isOneDay })).join('\n')}</ol>`,
    '</div>',
  ].join('\n');
}

/** A lane for each arc, so that those that overlap lie beside each other. */
function lanesOf(arcs: readonly { readonly start: number; readonly end: number }[]): readonly number[] {
  const ends: number[] = [];
  return arcs.map(({ start, end }) => {
    const [top, bottom] = [Math.min(start, end), Math.max(start, end)];
    const free = ends.findIndex((used) => used < top);
    const lane = Math.min(free === -1 ? ends.length : free, MOST_LANES - 1);
    ends[lane] = Math.max(ends[lane] ?? 0, bottom);
    return lane;
  });
}

function drawArc(
  { start, end, flow }: { readonly start: number; readonly end: number; readonly flow: FlowGroup },
  { x, lane }: { readonly x: number; readonly lane: number },
): string {
  const out = x - LANE * (lane + 1);
  const turn = end > start ? 8 : -8;
  // The end is moved off the start of another arc at the same call.
  const to = end - turn / 4;
  const path = `M${x - 4} ${start + turn / 4}Q${out} ${start + turn / 4} ${out} ${start + turn}V${to - turn}Q${out} ${to} ${x - 9} ${to}`;
  return `<g class="${CLASSES[flow.outcome]}"><path d="${path}"/><polygon points="${x - 10},${to - 4} ${x - 4},${to} ${x - 10},${to + 4}"/></g>`;
}

/** The date is left out if all calls are of one day. */
function drawRow({ time, call, ends }: Row, { now, isOneDay }: { readonly now: number; readonly isOneDay: boolean }): string {
  const shown = isOneDay ? formatShortTime(time, now).slice(-8) : formatShortTime(time, now);
  const at = Number.isNaN(time) ? '' : `<time>${shown}</time>`;
  const name = `${quoteName(call.tool_name)} of ${quoteName(call.server_id)}`;
  const lines = ends.flatMap((flow) => {
    const what = describeEvidence({ description: flow.evidence ?? '', encoding: flow.evidence_encoding ?? '' });
    const place = flow.parameter === null ? '' : `${quoteName(flow.parameter)} = `;
    const value = flow.source === null ? '' : `${place}${what === '' ? 'perhaps what was read' : what}`;
    return [
      `<div class="${CLASSES[flow.outcome]}" title="${escape(value)}"><b>${escape(OUTCOMES[flow.outcome])}</b> ${escape(value)}</div>`,
      line(whyWords(flow)),
    ];
  });
  const told = ends.length === 0 ? [line('its result was the source')] : [];
  return `<li style="height:${ROW + LINE * (1 + 2 * ends.length)}px"><div class="call" title="${escape(name)}">${at}${escape(name)}</div>${[...told, ...lines].join('')}</li>`;
}

function line(all: string): string {
  const text = all.slice(0, LONGEST_LINE);
  return `<div class="soft" title="${escape(text)}">${escape(text)}</div>`;
}

const ENTITIES: Readonly<Record<string, string>> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;', "'": '&#39;' };

/** Most characters of one text, since a store may have been edited. */
const MOST = 200_000;

/** Text for a page. Peers choose names, so nothing in them is markup, or hides or turns anything. */
function escape(text: string): string {
  const lines = text.slice(0, MOST).split('\n').map(visible);
  return lines.join('\n').replaceAll(/[&<>"']/g, (character) => ENTITIES[character] ?? character);
}
