import { recordedURI } from '../../core/outgoing/recorded-arguments.ts';
import { describeSecrets } from '../../core/outgoing/secrets-of-call.ts';
import { subjectOf } from '../detection/detection-news.ts';
import type { AuditRecord, DetectionAction } from '../ports/records.ts';

/**
 * The findings to record for a call with secrets in its arguments, one each. None if something else denied it: then they reached nobody.
 */
export function dlpFindings(
  { call, decision, ...record }: AuditRecord<'call'>,
  hasGoneOn: boolean,
): readonly AuditRecord<'detection'>[] {
  const { action, reason, dlp = [], isRedacted } = decision;
  if (dlp.length === 0 || (!hasGoneOn && reason !== 'dlp')) return [];
  // A resource is named by its URI, which is what was searched.
  const { resource: uri } = call;
  const named = uri === undefined ? call : { ...call, resource: recordedURI(uri, dlp) };
  const place = call.isAnswer === true ? 'answer' : 'arguments';
  const done: DetectionAction = isRedacted === true ? 'redact' : reason !== 'dlp' || action === 'allow' ? 'alert' : action;
  return dlp.map((secret) => ({
    type: 'detection',
    time: record.time,
    session: record.session,
    server: call.server,
    origin: place,
    subject: subjectOf(named),
    method: call.method,
    call: record.id,
    detection: {
      rule: `dlp.${secret.kind}`,
      family: 'dlp',
      severity: 'high',
      description: `The ${place} ${call.isAnswer === true ? 'contains' : 'contain'} a secret. ${describeSecrets([secret])}`,
      field: secret.path === '' ? place : `${place}.${secret.path}`,
      matches: [],
    },
    action: record.isObserved ? 'alert' : done,
  }));
}
