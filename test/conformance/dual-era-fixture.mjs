// The fixture of both eras on stdio.
import { serveStdio } from '@modelcontextprotocol/server/stdio';
import { createFixture } from './fixture-server.mjs';

serveStdio(() => createFixture());
