const store = process.env.STORE_URL ?? 'http://127.0.0.1:4000';

export default {
  rewrites: () =>
    ['/api', '/_backlot'].map((path) => ({
      // `:path*` would drop the slash of `/_backlot/`.
      source: `${path}/:rest(.*)`,
      destination: `${store}${path}/:rest`,
    })),
  skipTrailingSlashRedirect: true,
};
