import { stdoutLook } from '../terminal/colour.ts';
import { Table } from '../terminal/table.ts';
import { prettyJson, printable } from '../terminal/text.ts';
import { describeLogin, loginJson, type LoginState } from './login-state.ts';

/** Formats logins for stdout. */
export function formatLoginStates(states: readonly LoginState[], isJson: boolean): string {
  if (isJson) return prettyJson({ logins: states.map(loginJson) });
  if (states.length === 0) return 'No server has auth = "managed".\n';
  return new Table<LoginState>(
    [
      { title: 'SERVER', least: 8, cell: ({ server }) => printable(server) },
      { title: 'STATE', least: 12, cell: (state) => printable(describeLogin(state)) },
      { title: 'AUTHORIZATION SERVER', least: 12, cell: ({ issuer = '' }) => printable(issuer) },
      { title: 'SCOPES', least: 8, cell: ({ scope = '' }) => printable(scope) },
      { title: 'KEPT IN', cell: ({ place = '' }) => place },
    ],
    stdoutLook(),
  ).format(states);
}
