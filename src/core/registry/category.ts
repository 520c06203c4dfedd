/**
 * What a tool does. `read`: gives data. `write`: changes something. `send`: data leaves for somewhere or someone. `compute`: works
 * something out, or runs code. `unknown`: nothing tells.
 */
export const CATEGORIES = ['read', 'write', 'send', 'compute', 'unknown'] as const;
export type Category = (typeof CATEGORIES)[number];
