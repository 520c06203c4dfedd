import type { Client } from './client.ts';

/** All clients we know, in the order of reports. */
export const CLIENTS: readonly Client[] = [];
