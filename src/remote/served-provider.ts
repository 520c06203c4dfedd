import type { Config, LlmProvider } from '../config/config.ts';
import { secretsOf } from './remote-state.ts';
import type { RemoteState } from './state-text.ts';

/** An LLM provider, with what its proxy needs to know. */
export interface ServedProvider extends Omit<LlmProvider, 'secret'> {
  /** A part of its URL: it grants access to the route. */
  readonly secret: string;
  /** Groups what comes by its URL into a session, e.g. `llm:anthropic`. */
  readonly group: string;
}

/** Builds the URL that replaces a provider's base URL. @param origin e.g. `http://127.0.0.1:8787` */
export function providerUrl(origin: string, { name, secret }: Pick<ServedProvider, 'name' | 'secret'>): string {
  return `${origin}/llm/${name}/${secret}`;
}

/**
 * Loads the declared LLM providers, in order. It creates and stores missing secrets before it returns.
 *
 * @throws ClawaiError `remote_state_damaged` or `remote_state_unusable`
 */
export function loadProviders({ stateDir, llm }: Pick<Config, 'stateDir' | 'llm'>): readonly ServedProvider[] {
  const names = llm.providers.flatMap(({ name, secret }) => (secret === undefined ? [keyOf(name)] : []));
  return toServed(llm, secretsOf(stateDir, names));
}

/** Lists the declared LLM providers that have a secret in this state or in the config. */
export function providersIn({ llm }: Pick<Config, 'llm'>, { declared }: RemoteState): readonly ServedProvider[] {
  return toServed(llm, new Map(declared.map(({ name, secret }) => [name, secret])));
}

function toServed({ providers }: Config['llm'], secrets: ReadonlyMap<string, string>): readonly ServedProvider[] {
  return providers.flatMap(({ secret: own, ...provider }) => {
    const secret = own ?? secrets.get(keyOf(provider.name));
    return secret === undefined ? [] : [{ ...provider, secret, group: `llm:${provider.name}` }];
  });
}

/** Returns the key of its secret among those of servers, whose names have no slash. */
function keyOf(name: string): string {
  return `llm/${name}`;
}
