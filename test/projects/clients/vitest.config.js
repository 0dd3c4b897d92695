const { MSW: msw = 'msw' } = process.env;

export default {
  resolve: { alias: [{ find: /^msw(?=\/|$)/, replacement: msw }] },
  test: { include: ['*.spec.js'] },
};
