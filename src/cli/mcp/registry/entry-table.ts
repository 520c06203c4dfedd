import { styleText } from 'node:util';
import type { Severity } from '../../../core/detect/types.ts';
import { countBySeverity } from './describe-detection.ts';
import { visible } from '../../terminal/printable.ts';
import { type Column, Table, type TableOptions } from '../../terminal/table.ts';
import { shortFingerprint } from '../../../core/registry/fingerprint.ts';
import { type Entry, serverLabel } from './entries.ts';

const STYLES = { pinned: 'green', changed: 'red', new: 'yellow' } as const satisfies Record<Entry['status'], string>;

const SEVERITY_STYLES = {
  none: 'dim',
  low: 'dim',
  medium: 'yellow',
  high: 'red',
  critical: 'red',
} as const satisfies Record<Severity | 'none', string>;

/** A table of entries; their kind has a column where not all of them are tools. */
export function formatEntries(entries: readonly Entry[], options: TableOptions): string {
  const isToolsAlone = entries.every(({ kind }) => kind === 'tool');
  const name: Column<Entry> = { title: isToolsAlone ? 'TOOL' : 'NAME', least: 12, cell: nameOf };
  return new Table([SERVER, ...(isToolsAlone ? [] : [KIND]), name, HASH, STATUS, DETECTIONS], options).format(entries);
}

const SERVER: Column<Entry> = { title: 'SERVER', least: 8, cell: serverLabel };
const KIND: Column<Entry> = { title: 'KIND', cell: ({ kind }) => kind };
const HASH: Column<Entry> = { title: 'HASH', cell: ({ seen }) => visible(shortFingerprint(seen)) };
const STATUS: Column<Entry> = {
  title: 'STATUS',
  cell: ({ status, isListed }) => `${status === 'changed' ? 'changed!' : status}${isListed ? '' : ' (gone)'}`,
  paint: (cell, { status }) => styleText(STYLES[status], cell, { validateStream: false }),
};

const DETECTIONS: Column<Entry> = {
  title: 'DETECTIONS',
  cell: describeFound,
  paint: (cell, { detections }) => {
    const style = detections === undefined ? 'dim' : SEVERITY_STYLES[detections.severity ?? 'none'];
    return styleText(style, cell, { validateStream: false });
  },
};

/** How a server is started is no text that a model gets to see. */
function describeFound({ kind, detections }: Entry): string {
  if (kind === 'server') return '';
  if (detections === undefined) return 'not looked at';
  return detections.severity === undefined ? 'none' : countBySeverity(detections.detections);
}

function nameOf({ kind, name }: Entry): string {
  return kind === 'server' ? '(how it is started)' : visible(name);
}
