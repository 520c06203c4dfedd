import type { ClientsResult, WireFile } from '../wire.ts';
import { Badge, View } from './parts.tsx';
import { useView } from './requests.ts';

/** The clients of this machine: whether clawai is in front of their servers, and decides their own tools. */
export function Clients() {
  const loaded = useView<ClientsResult>('clients');
  return (
    <section aria-labelledby="clients-title">
      <h1 id="clients-title">Clients</h1>
      <View loaded={loaded}>
        {({ isObserving, problem, serve, files, hooks }) => (
          <>
            <p>
              {isObserving ? (
                <Badge text="only observing: nothing is denied" tone="bad" />
              ) : (
                <Badge text="enforcing" tone="good" />
              )}{' '}
              {serve}
            </p>
            {problem !== undefined && <p class="problem">{problem}</p>}
            {files.length === 0 && <p class="quiet">No MCP servers were found in the configs of any known client.</p>}
            {files.map((file) => (
              <File key={file.file} file={file} />
            ))}
            {hooks.length > 0 && <h2>Hooks</h2>}
            {hooks.map((file) => (
              <File key={`${file.clients} ${file.file}`} file={file} />
            ))}
          </>
        )}
      </View>
    </section>
  );
}

function File({ file: { file, clients, problem, servers } }: { readonly file: WireFile }) {
  return (
    <div class="card">
      <h3>
        <code>{file}</code> <span class="quiet">{clients}</span>
      </h3>
      {problem !== undefined && <p class="problem">{problem}</p>}
      <ul class="entries">
        {servers.map(({ server, word, tone, text }, at) => (
          <li key={at}>
            <Badge text={word} tone={tone} /> <b>{server}</b> {text}
          </li>
        ))}
      </ul>
    </div>
  );
}
