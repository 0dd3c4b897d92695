import { defineConfig } from 'vitest/config';

const environments = ['node', 'jsdom', 'happy-dom'];
const pools = ['forks', 'threads', 'vmForks', 'vmThreads'];

export default defineConfig({
  test: {
    testTimeout: 60_000,
    projects: environments.flatMap((environment) =>
      pools.map((pool) => ({
        extends: true,
        test: { name: `${environment}, ${pool}`, environment, pool },
      })),
    ),
  },
});
