import { mergeConfig } from 'vitest/config';
import docs from '../blocks/trace-of-failed-tests-2.ts';
import config from '../vitest.config.ts';

// The lines of the docs, with the browser that is installed.
export default mergeConfig(docs, config);
