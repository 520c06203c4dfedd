import type { Config, LlmProvider } from '../config/config.ts';
import { secretsOf } from './remote-state.ts';
import type { RemoteState } from './state-text.ts';

/** An LLM provider, as whoever stands in front of it has to know it. */
export interface ServedProvider extends Omit<LlmProvider, 'secret'> {
  /** In its URL: whoever knows it may use the route. */
  readonly secret: string;
  /** Whose session what comes by its URL is part of, e.g. `llm:anthropic`. */
  readonly group: string;
}

/** The URL that stands in for a provider's base URL. @param origin e.g. `http://127.0.0.1:8787` */
export function providerUrl(origin: string, { name, secret }: Pick<ServedProvider, 'name' | 'secret'>): string {
  return `${origin}/llm/${name}/${secret}`;
}

/**
 * The declared LLM providers, in their order. For those that have no secret yet one is generated, and is remembered before this returns.
 *
 * @throws ClawaiError `remote_state_damaged` or `remote_state_unusable`
 */
export function loadProviders({ stateDir, llm }: Pick<Config, 'stateDir' | 'llm'>): readonly ServedProvider[] {
  const names = llm.providers.flatMap(({ name, secret }) => (secret === undefined ? [keyOf(name)] : []));
  return toServed(llm, secretsOf(stateDir, names));
}

/** The declared LLM providers that have a secret in this state or in the config. */
export function providersIn({ llm }: Pick<Config, 'llm'>, { declared }: RemoteState): readonly ServedProvider[] {
  return toServed(llm, new Map(declared.map(({ name, secret }) => [name, secret])));
}

function toServed({ providers }: Config['llm'], secrets: ReadonlyMap<string, string>): readonly ServedProvider[] {
  return providers.flatMap(({ secret: own, ...provider }) => {
    const secret = own ?? secrets.get(keyOf(provider.name));
    return secret === undefined ? [] : [{ ...provider, secret, group: `llm:${provider.name}` }];
  });
}

/** Under which its secret is remembered among those of servers, whose names have no slash. */
function keyOf(name: string): string {
  return `llm/${name}`;
}
