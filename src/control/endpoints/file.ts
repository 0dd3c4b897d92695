import { fileForm } from '../../rest/form.ts';
import { endpoint } from '../endpoint.ts';
import { BackOfficeFile, fileVersion } from '../../office/file.ts';
import { StartView, startView } from './reset.ts';

export const fileEndpoints = [
  endpoint({
    method: 'GET',
    path: '/_backlot/export',
    summary: 'Export the back office as one JSON file',
    status: 200,
    answer: BackOfficeFile,
    errors: [],
    example: { url: '/_backlot/export' },
    handle: ({ office }) => office().export(),
  }),
  endpoint({
    method: 'POST',
    path: '/_backlot/import',
    summary: 'Import a file that a back office exported',
    body: fileForm(BackOfficeFile),
    status: 200,
    answer: StartView,
    errors: ['malformed', 'invalid', 'conflict', 'too many', 'unsupported'],
    example: {
      url: '/_backlot/import',
      body: {
        format: 'backlot',
        version: fileVersion,
        scenario: 'default',
        seed: 1,
        now: '2026-03-02T09:00:00+0000',
        clock: 'frozen',
        settings: {},
        tables: {},
      },
    },
    handle({ office, body }) {
      const backOffice = office();
      backOffice.import(body);
      return startView(backOffice);
    },
  }),
];
