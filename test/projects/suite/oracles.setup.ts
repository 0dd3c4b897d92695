import { oracle } from 'backlot/suite';

oracle('shows a support number', ({ texts, fault }) =>
  texts?.some((text) => /\d{3}-\d{4}/.test(text)) === true ? undefined : `there is none (${fault})`,
);
