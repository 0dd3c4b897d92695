import { compileResource } from './compile-resource.ts';
import { issuesOfResource } from './resource-issues.ts';

/** What resources need. */
export const resourceCode = { compile: compileResource, issuesOf: issuesOfResource };

export type ResourceCode = typeof resourceCode;
