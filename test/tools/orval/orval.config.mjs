export default {
  backlot: {
    input: './openapi.json',
    output: {
      target: './src/backlot.ts',
      client: 'fetch',
      mode: 'split',
      baseUrl: process.env.BACKLOT_URL,
    },
  },
};
