import manifest from 'msw/package.json' with { type: 'json' };
import { preloadMsw } from '../../src/mounts/node/load-msw.ts';

// The sources require MSW, which no alias of Vite reaches.
await preloadMsw(manifest);
