import type { ClientStyle } from './client-style.ts';

/** The tool's own name, as programs on an SDK have it, and Continue's command line. */
export const bare: ClientStyle = { id: 'bare', forms: [], isBare: true, native: new Set() };
