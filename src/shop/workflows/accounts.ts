import { createCustomer, customerInputs, deleteCustomer } from './steps.ts';
import type { StoreStep, StoreWorkflow } from './store-workflow.ts';

export const passwordReset: StoreWorkflow = {
  id: 'passwordReset',
  summary: 'A password reset',
  description:
    'Requests a password reset for a new user. A second request within 24 hours and a request for an unknown user get an error.',
  inputs: customerInputs('passwordReset'),
  steps: [
    createCustomer,
    requestReset('requestReset', 'Request a password reset.', '$inputs.email', {
      status: 200,
      expect: { '/id': '$steps.createCustomer.outputs.user', '/email': '$inputs.email' },
      outputs: { token: '/confirmation_token' },
    }),
    requestReset('requestAgain', 'Request it again too early.', '$inputs.email', {
      status: 404,
      expect: { '/code': 404, '/message': 'Password token not expired!' },
    }),
    requestReset('requestForUnknown', 'Request it for an unknown user.', 'x-{$inputs.email}', {
      status: 404,
      expect: { '/code': 404, '/message': 'User not found!' },
    }),
  ],
  cleanUp: [deleteCustomer],
};

function requestReset(
  id: string,
  summary: string,
  username: string,
  response: Pick<StoreStep, 'status' | 'expect' | 'outputs'>,
): StoreStep {
  const body = { username };
  return { id, summary, endpoint: 'POST /api/password-resetting-requests/', body, ...response };
}

const refreshGrant = {
  grant_type: 'refresh_token',
  refresh_token: '$steps.getToken.outputs.refreshToken',
};

export const oauth: StoreWorkflow = {
  id: 'oauth',
  summary: 'OAuth 2.0: a token, its use, a refresh, and wrong credentials',
  description:
    'Gets a token for a password, sends a request with it, and refreshes it. The same refresh token is then invalid, and so is a wrong password.',
  inputs: {
    clientId: { description: 'Id of the client.', default: 'demo_client' },
    clientSecret: { description: 'Secret of the client.', default: 'secret_demo_client' },
    username: { description: 'User name of an existing user.', default: 'api@example.com' },
    password: { description: 'Password of the user.', default: 'api' },
  },
  steps: [
    getToken('getToken', 'Get a token for a password.', passwordGrant('$inputs.password'), {
      status: 200,
      expect: { '/token_type': 'bearer', '/expires_in': 3600 },
      outputs: { token: '/access_token', refreshToken: '/refresh_token' },
    }),
    readUsers('useToken', 'Send a request with the token.', 'getToken'),
    getToken('refreshToken', 'Get another token for the refresh token.', refreshGrant, {
      status: 200,
      expect: { '/token_type': 'bearer' },
      outputs: { token: '/access_token' },
    }),
    readUsers('useNewToken', 'Send a request with the new token.', 'refreshToken'),
    getToken('refreshAgain', 'Use the refresh token a second time.', refreshGrant, {
      status: 400,
      expect: { '/error': 'invalid_grant' },
    }),
    getToken('sendWrongPassword', 'Send a wrong password.', passwordGrant('x{$inputs.password}'), {
      status: 400,
      expect: { '/error': 'invalid_grant' },
    }),
  ],
  cleanUp: [],
};

function passwordGrant(password: string) {
  return { grant_type: 'password', username: '$inputs.username', password };
}

function getToken(
  id: string,
  summary: string,
  grant: Readonly<Record<string, string>>,
  response: Pick<StoreStep, 'status' | 'expect' | 'outputs'>,
): StoreStep {
  const client = { client_id: '$inputs.clientId', client_secret: '$inputs.clientSecret' };
  const body = { ...client, ...grant };
  return { id, summary, endpoint: 'POST /oauth/v2/token', body, ...response };
}

function readUsers(id: string, summary: string, tokenOf: string): StoreStep {
  return {
    id,
    summary,
    endpoint: 'GET /api/users/',
    query: { limit: 1 },
    headers: { Authorization: `Bearer {$steps.${tokenOf}.outputs.token}` },
    status: 200,
    expect: { '/page': 1, '/limit': 1 },
  };
}
