import { expect, test } from 'vitest';
import { createBackOffice } from '../../src/mounts/node.ts';
import { hidden } from '../../src/verify/store/settings.ts';
import { verifyStore } from '../support/drift.ts';
import { Settings, type SettingsInput } from '../../src/contract.ts';
import { converse, type Turn } from '../support/conversation.ts';
import { sample } from '../support/runs.ts';

const login = {
  username: 'api@example.com',
  password: 'api',
  clientId: 'demo_client',
  clientSecret: 'secret_demo_client',
};

/** A value of each setting that the check finds out, other than the default. */
const others = {
  auth: 'oauth2',
  backorders: false,
  cartLifetime: 'PT90M',
  declinedStatus: 402,
  listCarts: true,
  maxLimit: 20,
  repriceAtConfirm: true,
  requestMoney: 'major',
  stepBack: true,
  totals: 'at-steps',
  unknownParameters: 'ignore',
} as const satisfies SettingsInput;

/** What a client sees of a back office: a conversation with each endpoint, and what settings change. */
async function visit(settings: SettingsInput): Promise<Turn[]> {
  const office = createBackOffice({ settings });
  const turns = await converse((url, init) => office.fetch(url, init));
  const send = async (line: string, body?: object): Promise<void> => {
    const [method = '', url = ''] = line.split(' ');
    const headers = { 'content-type': 'application/json' };
    const init = { method, ...(body !== undefined && { headers, body: JSON.stringify(body) }) };
    const { status } = await office.fetch(url, init).then(async (response) => {
      const text = await response.text();
      turns.push({ ...nothing, line, status: response.status, text });
      return response;
    });
    expect(status).toBeLessThan(500);
  };
  await send('GET /api/orders/?limit=1000&sorting[id]=desc');
  const { id } = office.given.anOrder({ at: 'cart', items: [{ variant: 1, quantity: 1 }] });
  await send(`POST /api/orders/${id}/items/`, { variant: 1, unitPrice: 10, quantity: 9999 });
  await send(`POST /api/orders/${id}/items/`, { variant: 2, unitPrice: 10, quantity: 1 });
  await send(`GET /api/orders/${id}/`);
  return turns;
}

const nothing = { type: null, allow: null, location: null, length: null, options: null };

test.for(sample(Object.entries(others), 3))(
  'the settings that a check of a server with %s %j prints make a back office behave like it',
  async ([name, value]) => {
    const office = createBackOffice({ settings: { [name]: value } });
    const { settings: printed } = await verifyStore({
      url: 'http://shop.test',
      fetch: (target, init) => office.fetch(target, init),
      login,
      write: true,
    });
    const ofServer = await visit({ [name]: value });
    expect(await visit(printed)).toEqual(ofServer);
    // Otherwise the visit would show nothing of the setting.
    expect(await visit({})).not.toEqual(ofServer);
  },
);

test('every setting is found out or is listed as one that no request shows', () => {
  // Carts and orders of others may show what happens at `expires_at`.
  const found = [...Object.keys(others), 'expiry'];
  expect([...found, ...hidden].toSorted()).toEqual(Object.keys(Settings.shape).toSorted());
});
