import { describeFaults } from '../../core/schema/arguments-schema.ts';
import type { AuditRecord } from '../ports/records.ts';

/**
 * The finding to record for a call whose arguments do not fit its tool's schema. Undefined if they fit, or if something else denied it: then
 * they reached nobody.
 */
export function schemaFinding(record: AuditRecord<'call'>, hasGoneOn: boolean): AuditRecord<'detection'> | undefined {
  const { call, decision } = record;
  const first = decision.schema?.[0];
  if (first === undefined || call.tool === undefined) return undefined;
  const { action, reason } = decision;
  if (!hasGoneOn && reason !== 'schema') return undefined;
  return {
    type: 'detection',
    time: record.time,
    session: record.session,
    server: call.server,
    origin: 'arguments',
    subject: { kind: 'tool', name: call.tool },
    method: call.method,
    call: record.id,
    detection: {
      rule: `schema.${first.keyword}`,
      family: 'schema',
      severity: 'medium',
      description: `The arguments do not fit the tool's schema: ${describeFaults(decision.schema ?? [])}`,
      field: first.path === '' ? 'arguments' : `arguments.${first.path}`,
      matches: [],
    },
    action: record.isObserved || reason !== 'schema' || action === 'allow' ? 'alert' : action,
  };
}
