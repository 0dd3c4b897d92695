import { stripTypeScriptTypes } from 'node:module';

/** The transformer of Jest for modules with types. */
export default { process: (code) => ({ code: stripTypeScriptTypes(code) }) };
