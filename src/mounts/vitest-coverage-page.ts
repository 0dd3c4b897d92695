import { Coverage } from '../engine/coverage/recorder.ts';
import { countFile } from './vitest-counts.ts';

// Loaded with the file: Vite loads a page again if it finds a dependency during a test.
countFile(() => new Coverage());
