import { createServer } from 'node:http';
import { expect, test } from 'vitest';
import { runCommand } from '../support/command.ts';
import { listen } from '../support/raw-http.ts';

const next = { method: 'PUT', url: '/api/checkouts/1', body: { paymentMethod: 1 } };
const opened = { state: 'order.cart', record: 'order', id: 1, url: '/api/orders/1/', next };

/** Starts a server that answers each request with a body. */
async function serverWith(body: object): Promise<string> {
  return listen(
    createServer((_, response) => {
      response.setHeader('content-type', 'application/json').end(JSON.stringify(body));
    }),
  );
}

test('the request that open prints is one line for a shell, whatever its address and body hold', async () => {
  const url = await serverWith({
    ...opened,
    next: { ...next, url: "/a'; rm -rf ~ #", body: { "'$(rm)": '`rm`\n' } },
  });
  const { code, out } = await runCommand('open', 'order.cart', url);
  expect(code).toBe(0);
  const [, printed] = /^next +(.*)$/m.exec(out) ?? [];
  expect(printed).toBe(
    `curl -X PUT '${url}/a'\\''; rm -rf ~ #' --json '{"'\\''$(rm)":"\`rm\`\\n"}'`,
  );
});

test.each(['GET; rm -rf ~', 'PUT -o ~/.bashrc', '$(id)', 'put', ''])(
  'open prints no command with the method %j, which is none',
  async (method) => {
    const url = await serverWith({ ...opened, next: { ...next, method } });
    const { code, out, err } = await runCommand('open', 'order.cart', url);
    expect({ code, out, err }).toEqual({
      code: 2,
      out: '',
      err: `backlot: ${url} has no states of Backlot: status 200.\n`,
    });
  },
);
