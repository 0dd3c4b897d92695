import { createHttpServer } from '../../src/mounts/server/server.ts';
import { cacheSize, disablePretenuring } from '../../src/cli/memory.ts';
import { openStoreOffice } from '../../src/shop/open-store-office.ts';
import { openSessions } from '../../src/engine/sessions/server.ts';
import { measured } from './measured.ts';

/** Serves the default scenario, or one with this number of generated orders besides; with `history`, as `npm start`. */
const orders = Number(process.argv[2] ?? 0);
const history = process.argv[3] === 'history';

disablePretenuring();
const milliseconds = (): number => performance.now();
const shop =
  orders === 0
    ? openStoreOffice({ history, milliseconds })
    : openStoreOffice({
        scenario: {
          name: 'orders',
          description: 'For measuring',
          extends: 'default',
          generate: { orders },
        },
        maxCachedBytes: cacheSize(),
      });
measured(createHttpServer(openSessions(shop, { milliseconds })));
