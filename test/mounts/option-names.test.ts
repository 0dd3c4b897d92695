import { expect, test as plain } from 'vitest';
import { createExpressRouter, openBackOffice, openSessions } from '../../src/mounts/express.ts';
import { createBackOffice } from '../../src/mounts/node.ts';
import { remoteOffice } from '../../src/mounts/remote/office.ts';
import { backlotLoader } from '../../src/mounts/storybook.ts';
import { createTest } from '../../src/mounts/vitest.ts';

/** Returns options as JavaScript may write them. */
const options = (text: string) => JSON.parse(text);

plain.each<[name: string, act: () => unknown, message: string]>([
  [
    'createBackOffice of Node.js',
    () => createBackOffice(options('{"scenaro":"empty"}')),
    'createBackOffice: Unrecognized option: "scenaro" (did you mean "scenario"?)',
  ],
  [
    'listen',
    () => createBackOffice().listen(options('{"onUnhandled":"bypass"}')),
    'listen: Unrecognized option: "onUnhandled"; known: clients, handlers, onUnhandledRequest',
  ],
  [
    'openBackOffice of Express',
    () => openBackOffice(options('{"maxRow":5}')),
    'openBackOffice: Unrecognized option: "maxRow" (did you mean "maxRows"?)',
  ],
  [
    'openSessions',
    () => openSessions(openBackOffice(), options('{"session":"own"}')),
    'openSessions: Unrecognized option: "session" (did you mean "sessions"?)',
  ],
  [
    'createExpressRouter',
    () => createExpressRouter(openBackOffice(), options('{"allowedHost":["shop.test"]}')),
    'createExpressRouter: Unrecognized option: "allowedHost" (did you mean "allowedHosts"?)',
  ],
  [
    'remoteOffice',
    () => remoteOffice(options('{"url":"http://127.0.0.1","sesion":"a"}')),
    'remoteOffice: Unrecognized option: "sesion" (did you mean "session"?)',
  ],
])('%s names an option that it does not have, and what may have been meant', (_, act, message) => {
  expect(act).toThrow(message);
});

plain('the loader of Storybook names a parameter that it does not have', async () => {
  const parameters = { backlot: options('{"scenaro":"empty"}') };
  await expect(backlotLoader({ id: 'a', parameters })).rejects.toThrow(
    'parameters.backlot: Unrecognized option: "scenaro" (did you mean "scenario"?)',
  );
});

createTest(options('{"trce":"off"}')).fails('a test with an unknown option fails', () => {});
