/**
 * Descriptions of the control API, of scenarios and of rules that an API may replace by its own words and examples. No two are
 * equal: a document is searched for them.
 */
export const documentTexts = {
  entryTitle: '`PUT /api/users/3`, `restored the snapshot paid`',
  entryMeaning: 'What it did, without who did it: `published article 3`',
  entrySentence: 'What it did, and who: `admin-web published article 3`',
  entryStep: 'Step of a request',
  entryClient: 'The program that sent it: `admin-web`, `Chrome 153`',
  explainedRecords:
    'Why the records that it changed, at most 20, were as they were after it; empty if `entry` is before `changesFrom`',
  stepFrom: 'State that it starts from; absent if it can be taken at any time',
  stepTo: 'State that it leads to',
  stepOptional: 'Whether a record may go past it',
  machineTable: 'The table of its records, as in an export: `article_comments`',
  snapshotPublish: 'Offer it to links: `/_backlot/begin?snapshot=before-test`',
  tableWhere:
    'Values of fields that the records have, as text: `where[city]=Oslo`; `*` stands for any text: `where[email]=*ada*`',
  faultStep: 'Only this step',
  faultParameters:
    'Parameters of path, query or body, compared as text: `{ "user_id": 3, "address.city": "Oslo" }`',
  filterRequest: 'Method and path: `PUT /api/users/:user_id`, `/api/users/*`, `DELETE`',
  filterStep: 'Step',
  journalEndpoint: '`PUT /api/users/:user_id`; absent if no endpoint was reached',
  parameterRequest: 'Method and path of an endpoint or a URL: `PUT /api/users/:user_id`',
  parameterStep: 'Step of the request',
  scenarioScript: 'Script from `now` on; the first that matches applies',
  declined: 'It was declined, if the setting `declinedStatus` is 402',
} as const satisfies Readonly<Record<string, string>>;

/** Descriptions in the place of those for any API. */
export type DocumentTexts = { readonly [Key in keyof typeof documentTexts]?: string };
