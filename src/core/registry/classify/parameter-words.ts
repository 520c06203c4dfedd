const words = (list: string): ReadonlySet<string> => new Set(list.split(' '));

/** Whom something is said to, where there is something to say. */
export const RECIPIENTS = words(
  'to cc bcc recipient recipients receiver addressee phone email emails email_to to_email email_address to_address to_number phone_number recipient_id ' +
    'recipient_email channel channel_id channel_name chat chat_id room room_id conversation_id thread_ts',
);

/** Somewhere that the caller says, whatever else there is. */
export const ADDRESSES = words(
  'url urls uri href link links webhook webhooks callback host hostname domain endpoint server address remote ip ip_address remote_address ' +
    'host_address server_address',
);

/** The same as the last word of a longer name. */
export const ADDRESSES_LAST = words('url urls href link webhook callback host hostname endpoint');

/** A destination is a place of another machine with one of these, and mostly a file or a town without. */
export const OF_MACHINES = words(
  'port protocol scheme headers method bucket region credentials password token api_key username private_key ssh_key auth',
);

export const TEXTS = words('body message text subject html content comment');

/** What is run, whatever the tool is called: `query` with `sql` may change everything. */
export const PROGRAMS = words('command cmd shell_command script sql sql_query statement javascript code');

/** All words that count of parameters. */
export function parameterWords(): readonly string[] {
  const sets = [RECIPIENTS, ADDRESSES, ADDRESSES_LAST, OF_MACHINES, TEXTS, PROGRAMS];
  return [...sets.flatMap((set) => [...set]).flatMap((name) => name.split('_')), 'destination', 'target'];
}
