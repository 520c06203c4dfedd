/** The system's keychain: macOS Keychain, Windows Credential Manager, or a Secret Service on Linux. Each method rejects if it fails. */
export interface Keychain {
  /** Resolves to undefined if there is no such entry. */
  read(account: string): Promise<string | undefined>;
  write(account: string, text: string): Promise<void>;
  /** Removes an entry, if there is one. */
  remove(account: string): Promise<void>;
}

const SERVICE = 'clawai';

/** Milliseconds for one operation: a keychain may ask the user to unlock it, and on a server nobody answers. */
const PATIENCE_MS = 20_000;

/** Linux's other store is in the kernel's memory, so a restart would lose the tokens. */
const OPTIONS = { linux: { store: 'secret-service' } } as const;

/** Opens the keychain; undefined if its package is not installed or has no code for this platform. */
export async function openKeychain(): Promise<Keychain | undefined> {
  // The package is optional.
  const loaded = await import('@napi-rs/keyring').catch(() => undefined);
  if (loaded === undefined) return undefined;
  const { AsyncEntry: Entry } = loaded;
  return {
    read: async (account) => (await inTime(new Entry(SERVICE, account, OPTIONS).getPassword())) ?? undefined,
    write: async (account, text) => inTime(new Entry(SERVICE, account, OPTIONS).setPassword(text)),
    async remove(account) {
      await inTime(new Entry(SERVICE, account, OPTIONS).deleteCredential());
    },
  };
}

async function inTime<T>(work: Promise<T>): Promise<T> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<never>((_resolve, reject) => {
    timer = setTimeout(() => reject(new Error('the keychain does not answer')), PATIENCE_MS);
  });
  try {
    return await Promise.race([work, late]);
  } finally {
    clearTimeout(timer);
  }
}
