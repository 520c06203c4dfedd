/**
 * Reads stdin to its end, as UTF-8.
 *
 * @param most bytes
 * @throws Error if there is more, or it is no UTF-8
 */
export async function readStdin(most: number): Promise<string> {
  const chunks: Buffer[] = [];
  let size = 0;
  for await (const chunk of process.stdin as AsyncIterable<Buffer>) {
    size += chunk.length;
    if (size > most) throw new Error('the call is longer than clawai accepts (limits.message in its config)');
    chunks.push(chunk);
  }
  // Another reader of wrong bytes could read another call.
  return new TextDecoder('utf-8', { fatal: true }).decode(Buffer.concat(chunks));
}
