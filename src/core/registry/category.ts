/**
 * What a tool does. `read`: gives data. `write`: changes something. `send`: data leaves for somewhere or someone. `compute`: works
 * something out, or runs code. `execute`: runs commands or code that it is given. `destroy`: takes away or overwrites what can't be got back
 * simply, such as a repository, a table, or what others have pushed. `unknown`: nothing tells.
 */
export const CATEGORIES = ['read', 'write', 'send', 'compute', 'execute', 'destroy', 'unknown'] as const;
export type Category = (typeof CATEGORIES)[number];
