import { afterAll, expect } from 'vitest';
import { provideParts } from '../../src/shop/parts.ts';

// Tests of single modules open no entry point, which would provide what an API has on demand.
provideParts();

// Files share a process: one that left its `fetch` behind would have others fail.
const { fetch } = globalThis;
afterAll(() => expect(globalThis.fetch).toBe(fetch));
