import { createHttpServer } from '../../src/adapters/http/server.ts';
import { openBackOffice } from '../../src/office/open-back-office.ts';
import { openSessions } from '../../src/sessions/server.ts';
import { measured } from './measured.ts';

/** Serves the default scenario, or one with this number of generated orders besides. */
const orders = Number(process.argv[2] ?? 0);

const milliseconds = (): number => performance.now();
const shop =
  orders === 0
    ? openBackOffice()
    : openBackOffice({
        scenario: {
          name: 'orders',
          description: 'For measuring',
          extends: 'default',
          generate: { orders },
        },
      });
measured(createHttpServer(openSessions(shop, { milliseconds })));
