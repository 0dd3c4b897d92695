import { provideParts } from '../../src/shop/parts.ts';

// Tests of single modules open no entry point, which would provide what an API has on demand.
provideParts();
