import './mounts/node/require-node.ts';
export { createBackOffice } from './mounts/node/create-back-office.ts';
export type { MountedBackOffice, MountOptions } from './mounts/mount.ts';
export type {
  StoreOffice as BackOffice,
  StoreOptions as BackOfficeOptions,
} from './shop/office/store-office.ts';
export type { JournalEntry } from './engine/journal/recorded-exchange.ts';
export type { JournalFilterInput } from './engine/journal/journal-filter.ts';
export type { Collections as Database } from './shop/models/database.ts';
export { Problem, type FieldIssue, type ProblemKind } from './engine/lib/problem.ts';
export type { ApiResponse, ApiRequest } from './engine/rest/message.ts';
export type {
  HistoryApi,
  HistoryEntry,
  HistoryExportOptions,
  HistorySummary,
} from './engine/office/history-api.ts';
export type { RefusedField, StateExplanation } from './engine/definition/explanation.ts';
export type {
  EntryExplanation,
  Line,
  OrderExplanation,
  OrderFact as Fact,
  StockExplanation,
} from './shop/office/explanation.ts';
export type { HarEntry, HarFile } from './engine/office/export/har-format.ts';
export type { BackOfficeFile } from './engine/office/file.ts';
export type { HeldRequest } from './engine/office/held-responses.ts';
export type { FaultRuleInput } from './shop/office/scenario.ts';
export type { RuleTarget, ScriptRuleInput } from './shop/checkout/script-rules.ts';
export { defineScenario, type Scenario, type ScenarioInput } from './shop/office/scenario.ts';
export type { ScenarioName, Settings, SettingsInput } from './shop/office/scenario.ts';
