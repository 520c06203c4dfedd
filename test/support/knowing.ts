import { MemoryRegistry, NO_IDENTITY } from './memory-registry.ts';
import { sighted } from './registered.ts';

/** A registry that knows these servers and their tools. */
export function knowing(servers: Readonly<Record<string, readonly string[]>>): MemoryRegistry {
  const registry = new MemoryRegistry();
  for (const [server, tools] of Object.entries(servers)) {
    registry.writeServer(server, NO_IDENTITY, { isPinned: true });
    registry.write(
      server,
      tools.map((tool) => sighted(tool, 'a', { isPinned: true })),
    );
  }
  return registry;
}
