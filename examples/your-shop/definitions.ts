import api from './backlot.config.ts';
import uuidApi from './uuid.config.ts';

/** The five tries, and the same with UUIDs, by the names of their files. */
export const definitions = { 'backlot.config.ts': api, 'uuid.config.ts': uuidApi } as const;
