import { isUtf8 } from 'node:buffer';

/**
 * Reads stdin to its end, as UTF-8.
 *
 * @param most bytes
 * @throws Error if there is more, or it is no UTF-8
 */
export async function readStdin(most: number): Promise<string> {
  const chunks: Buffer[] = [];
  let size = 0;
  await new Promise<void>((ended, reject) => {
    process.stdin.on('error', reject).on('end', ended);
    process.stdin.on('data', (chunk: Buffer) => {
      size += chunk.length;
      if (size > most) reject(new Error('the call is longer than clawai accepts (limits.message in its config)'));
      else chunks.push(chunk);
    });
  });
  const bytes = Buffer.concat(chunks);
  // Another reader of wrong bytes could read another call. (A `TextDecoder` that throws takes a millisecond to make.)
  if (!isUtf8(bytes)) throw new TypeError('the call is not UTF-8');
  return bytes.toString('utf8').replace(/^\uFEFF/, '');
}
