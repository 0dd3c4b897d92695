export default {
  extended: {
    input: './extended.json',
    output: {
      target: './src/extended/backlot.ts',
      client: 'fetch',
      mode: 'split',
      baseUrl: process.env.EXTENDED_URL,
    },
  },
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
