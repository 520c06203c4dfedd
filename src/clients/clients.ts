import type { Client } from './client.ts';
import { FIRST_CLIENTS } from './known/first-clients.ts';
import { FURTHER_CLIENTS } from './known/further-clients.ts';
import { toClient } from './known/row.ts';

/** All clients we know, in the order of reports. */
export const CLIENTS: readonly Client[] = [...FIRST_CLIENTS, ...FURTHER_CLIENTS].map(toClient);
