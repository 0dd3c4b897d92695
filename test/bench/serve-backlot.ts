import { createHttpServer } from '../../src/adapters/http/server.ts';
import { openBackOffice } from '../../src/office/open-back-office.ts';
import { openSessions } from '../../src/sessions/server.ts';
import { measured } from './measured.ts';

const milliseconds = (): number => performance.now();
measured(createHttpServer(openSessions(openBackOffice(), { milliseconds })));
