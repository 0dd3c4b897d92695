const store = process.env.STORE_URL ?? 'http://127.0.0.1:4000';

export default {
  // Pages call the store API at their own origin, so that the cookie of a session reaches it.
  rewrites: () => [{ source: '/api/:path*', destination: `${store}/api/:path*` }],
  skipTrailingSlashRedirect: true,
};
