import type { RatesResult } from '../wire.ts';
import { count } from './parts.tsx';
import { useView } from './requests.ts';

const EVERY_MS = 10_000;
const HEIGHT = 24;
const BAR = 3;
/** Servers that have a picture; those that were called most. */
const MOST = 8;

/** How many calls each server had, minute by minute, in the last hour. */
export function Rates() {
  const { value } = useView<RatesResult>('rates', {}, EVERY_MS);
  const sum = (numbers: readonly number[]): number => numbers.reduce((total, number) => total + number, 0);
  const servers = (value?.servers ?? [])
    .map((each) => ({ ...each, total: sum(each.allowed) + sum(each.denied), lost: sum(each.denied) }))
    .toSorted((one, other) => other.total - one.total)
    .slice(0, MOST);
  if (servers.length === 0) return null;
  return (
    <ul class="rates" aria-label="Calls in the last hour">
      {servers.map(({ server, allowed, denied, total, lost }) => (
        <li key={server}>
          <b>{server}</b>
          <Bars allowed={allowed} denied={denied} label={`${server}: calls by minute in the last hour`} />
          <span>
            {count(total, 'call')}
            {lost > 0 && `, ${lost} denied`}
          </span>
        </li>
      ))}
    </ul>
  );
}

function Bars({ allowed, denied, label }: { allowed: readonly number[]; denied: readonly number[]; label: string }) {
  const most = Math.max(1, ...allowed.map((number, at) => number + (denied[at] ?? 0)));
  const scale = (number: number): number => (number / most) * HEIGHT;
  return (
    <svg role="img" aria-label={label} viewBox={`0 0 ${60 * BAR} ${HEIGHT}`} width={60 * BAR} height={HEIGHT}>
      {allowed.map((number, at) => {
        const good = scale(number);
        const bad = scale(denied[at] ?? 0);
        if (good + bad === 0) return null;
        return (
          <g key={at}>
            <rect class="allowed" x={at * BAR} y={HEIGHT - good} width={BAR - 1} height={good} />
            <rect class="denied" x={at * BAR} y={HEIGHT - good - bad} width={BAR - 1} height={bad} />
          </g>
        );
      })}
    </svg>
  );
}
