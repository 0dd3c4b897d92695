import { demoClient, demoUser, isGuarded, OAuthErrorView, tokenPath } from './oauth.ts';

const requirement =
  'Required if the setting `auth` is `oauth2`, as in the scenario `authenticated` (default: `none`). Tokens are issued either way.';

/** The authentication schemes, for documents. */
export const tokenGuard = {
  covers: (path: string) => isGuarded(path),
  schemes: {
    oauth2: {
      type: 'oauth2',
      description: `${requirement} Client \`${demoClient.id}\` with \`${demoClient.secret}\`, user \`${demoUser.username}\` with \`${demoUser.password}\`; access tokens live an hour, refresh tokens two weeks.`,
      flows: { password: { tokenUrl: tokenPath, refreshUrl: tokenPath, scopes: {} } },
    },
    bearer: {
      type: 'http',
      scheme: 'bearer',
      description: `${requirement} An access token of ${tokenPath}.`,
    },
  },
  denied: { description: 'Denied, if the setting auth is oauth2', body: OAuthErrorView },
};
