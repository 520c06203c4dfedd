const words = (list: string): ReadonlySet<string> => new Set(list.split(' '));

/** Recipients of a text, if the tool has one. */
export const RECIPIENTS = words(
  'to cc bcc recipient recipients receiver addressee phone email emails email_to to_email email_address to_address to_number phone_number recipient_id ' +
    'recipient_email channel channel_id channel_name chat chat_id room room_id conversation_id thread_ts',
);

/** Addresses that the caller chooses, whatever other parameters there are. */
export const ADDRESSES = words(
  'url urls uri href link links webhook webhooks callback host hostname domain endpoint server address remote ip ip_address remote_address ' +
    'host_address server_address',
);

/** The same as the last word of a longer name. */
export const ADDRESSES_LAST = words('url urls href link webhook callback host hostname endpoint');

/** With one of these, a destination is on another machine; without, it is mostly a file or a town. */
export const OF_MACHINES = words(
  'port protocol scheme headers method bucket region credentials password token api_key username private_key ssh_key auth',
);

export const TEXTS = words('body message text subject html content comment');

/** Programs, whatever the tool is called: a `query` with `sql` may change everything. */
export const PROGRAMS = words('command cmd shell_command script sql sql_query statement javascript code');

/** Places for the results. */
const OUTPUTS = words(
  'out outfile outdir output output_path output_file output_filename output_dir output_directory output_folder dest dest_path dest_file dest_dir destination ' +
    'destination_path save_path save_to save_as save_dir download_path download_dir download_to target_path target_file target_dir local_path local_file ' +
    'to_path to_file write_to',
);
/** The same for tools with one of the words below in their names. */
const FILES = words('path file filename file_path filepath file_name');
const SAVING = words('download save screenshot snapshot capture record trace dump pdf');

const AS_PLACE = /^\s*["']?(?:[~/.$%]|\w:|\w+:\/\/)|[/\\]|\.[a-z]\w*["']?\s*$/i;

/**
 * Tells whether an argument names a file that a reading tool writes. @param key its words with `_` between them; @param tool the words of
 * the tool's name
 */
export function isOutput(key: string, value: string, tool: readonly string[]): boolean {
  if (!OUTPUTS.has(key) && !(FILES.has(key) && tool.some((word) => SAVING.has(word)))) return false;
  return AS_PLACE.test(value);
}

/** Tells whether an argument of this name may do that. */
export function mayBeOutput(key: string): boolean {
  return OUTPUTS.has(key) || FILES.has(key);
}

/** All words that count in parameters. */
export function parameterWords(): readonly string[] {
  const sets = [RECIPIENTS, ADDRESSES, ADDRESSES_LAST, OF_MACHINES, TEXTS, PROGRAMS];
  return [...sets.flatMap((set) => [...set]).flatMap((name) => name.split('_')), 'destination', 'target'];
}
