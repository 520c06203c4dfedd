import { isJsonObject, type JsonObject } from '../../../core/json.ts';
import { ClawaiError } from '../../../errors.ts';
import { deriveServerName } from '../../../session/server-name.ts';
import { type ListingBounds, listStdio } from '../../../transport/listing/list-stdio.ts';
import { listRemote } from '../../../transport/listing/list-remote.ts';
import type { Listed, ListedKind, ListingEars } from '../../../transport/listing/server-lister.ts';
import { startServer, type StartPlace } from '../../../transport/stdio/child-process.ts';
import { StderrTail } from '../../machine/stderr-tail.ts';
import { printable } from '../../terminal/text.ts';
import { VERSION } from '../../machine/version.ts';
import { readList, textsBeside, type ItemGroup, type ItemInput, type Skipped } from './items.ts';

/** Characters that are shown of what a server says; some say megabytes. */
const MOST_SHOWN = 200;

const MEMBERS = {
  tool: 'tools',
  prompt: 'prompts',
  resource: 'resources',
  resource_template: 'resourceTemplates',
} as const satisfies Record<ListedKind, string>;

interface StartOptions {
  /** The name of the server; derived from its command by default. */
  readonly name?: string;
  readonly place?: StartPlace;
  readonly bounds?: ListingBounds;
}

/**
 * Starts a server, asks it for everything that it declares, and ends it.
 *
 * @throws ClawaiError `command_*` where it could not be started, `server_not_listed` where it could not be asked
 */
export async function listStarted(
  [command, ...args]: readonly [string, ...string[]],
  { name = deriveServerName(command, args), place, bounds }: StartOptions = {},
): Promise<ItemGroup> {
  const server = startServer(command, args, 'pipe', place);
  const stderr = server.stderr === null ? undefined : new StderrTail(server.stderr);
  const declared = new Declared();
  const listed = await listStdio(server, VERSION, { ...declared.ears, ...(bounds !== undefined && { bounds }) });
  const said = (stderr?.lines ?? []).map((line) => line.slice(0, MOST_SHOWN));
  return declared.toGroup(name, listed, { said, hint: 'see that the command starts an MCP server that talks over stdio' });
}

export interface RemoteTarget {
  readonly name: string;
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
}

/**
 * Asks a remote server for everything that it declares.
 *
 * @throws ClawaiError `server_not_listed`
 */
export async function listReached(
  { name, url, headers }: RemoteTarget,
  { signal = new AbortController().signal, most = Infinity } = {},
): Promise<ItemGroup> {
  const declared = new Declared();
  const listed = await listRemote({ url, headers, version: VERSION, signal, isOurs: false, most, ears: declared.ears });
  return declared.toGroup(name, listed, {
    hint: 'see that the URL is that of its MCP endpoint, such as https://mcp.example.com/mcp',
  });
}

/** Collects what a server declares. */
class Declared {
  readonly #items: ItemInput[] = [];
  readonly #skipped: Skipped[] = [];

  get ears(): ListingEars {
    return {
      onGreeting: (greeting) => {
        const { instructions } = greeting;
        this.#addBeside(greeting);
        if (typeof instructions === 'string') this.#items.push({ kind: 'instructions', name: '', value: instructions });
      },
      onPage: (kind, result) => {
        this.#addBeside(result);
        const { items, skipped } = readList(kind, isJsonObject(result) ? result[MEMBERS[kind]] : undefined, MEMBERS[kind]);
        this.#items.push(...items);
        this.#skipped.push(...skipped);
      },
      onMissing: (kind, why) => this.#skipped.push({ what: `${kind.replace('_', ' ')}s:`, why: why.slice(0, MOST_SHOWN) }),
    };
  }

  #addBeside(answer: JsonObject): void {
    const beside = textsBeside(answer);
    if (beside !== undefined) this.#items.push(beside);
  }

  /**
   * Everything that it has declared, even if it then failed.
   *
   * @param failed where it could not be asked: what it said last, line by line, and what to do
   */
  toGroup(
    server: string,
    listed: Listed,
    { said = [], hint }: { readonly said?: readonly string[]; readonly hint: string },
  ): ItemGroup {
    if (listed.kind === 'listed') return { server, items: this.#items, skipped: this.#skipped };
    if (listed.kind === 'failed' && this.#items.length > 0) {
      const why = [listed.why.slice(0, MOST_SHOWN), ...said.map((line) => `it said: ${line}`)].join('; ');
      const rest = { what: 'the rest of what it declares:', why };
      return { server, items: this.#items, skipped: [...this.#skipped, rest] };
    }
    if (listed.kind === 'needs_login') {
      throw new ClawaiError(`${printable(server)} wants a login, so it can't be asked what it declares`, {
        code: 'server_not_listed',
        hint: 'declare it in config.toml with the headers that it wants, and name it by its id; or wrap it and see clawai mcp registry list',
      });
    }
    const why = printable(listed.why.slice(0, MOST_SHOWN));
    const words = said.map((line) => `\nit said: ${line}`).join('');
    throw new ClawaiError(`${printable(server)} could not be listed: ${why}${words}`, { code: 'server_not_listed', hint });
  }
}
