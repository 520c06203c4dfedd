import type { TextScan } from '../scan-text.ts';
import type { SecretSpan } from '../secret-forms.ts';

/** Finds all secrets of one kind in a text, in order, in time linear in it. @param name of the member whose value the text is */
export type FindKind = (text: string, scan: TextScan, name?: string) => Iterable<Omit<SecretSpan, 'kind'>>;
