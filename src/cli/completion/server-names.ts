import { readStandings } from '../wrap/wrap-standing.ts';
import { lookAround } from '../wrap/wrap-surroundings.ts';

/** Shells expand what they complete, and a project's config names servers as it likes: other characters are not offered. */
const HARMLESS = /^[A-Za-z0-9_][A-Za-z0-9_.@+-]*$/;

/** Names of the servers in the configs of all clients, each once; those that a shell might take for more than a name are left out. */
export async function findServerNames(): Promise<readonly string[]> {
  const { files } = await readStandings(lookAround());
  const names = files.flatMap((file) => file.servers.map(({ server }) => server));
  return [...new Set(names)].filter((name) => HARMLESS.test(name)).toSorted();
}
