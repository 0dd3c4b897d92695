import { nodeIssue } from './required-node.ts';

// The first import of each entry point for Node.js: nothing else of it is evaluated by one that is too old.
if (nodeIssue !== undefined) throw new Error(nodeIssue);
