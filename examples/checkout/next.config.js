const store = process.env.STORE_URL ?? 'http://127.0.0.1:4000';

export default {
  rewrites: () =>
    ['/api', '/_backlot'].map((path) => ({
      source: `${path}/:path*`,
      destination: `${store}${path}/:path*`,
    })),
  skipTrailingSlashRedirect: true,
};
