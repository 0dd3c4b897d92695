export { createBackOffice } from './adapters/create-back-office.ts';
export type { MountedBackOffice, MountOptions } from './adapters/mount.ts';
export type {
  StoreOffice as BackOffice,
  StoreOptions as BackOfficeOptions,
} from './shop/store-office.ts';
export type { JournalEntry } from './journal/recorded-exchange.ts';
export type { JournalFilterInput } from './journal/journal-filter.ts';
export type { Collections as Database } from './models/database.ts';
export { Problem, type FieldIssue, type ProblemKind } from './lib/problem.ts';
export type { ApiResponse, ApiRequest } from './rest/message.ts';
export type {
  HistoryApi,
  HistoryEntry,
  HistoryExportOptions,
  HistorySummary,
} from './office/history-api.ts';
export type {
  EntryExplanation,
  Fact,
  Line,
  OrderExplanation,
  RefusedField,
  StateExplanation,
  StockExplanation,
} from './definition/explanation.ts';
export type { HarEntry, HarFile } from './office/export/har-format.ts';
export type { BackOfficeFile } from './office/file.ts';
export type { HeldRequest } from './office/held-responses.ts';
export type { FaultRuleInput } from './shop/scenario.ts';
export type { RuleTarget, ScriptRuleInput } from './checkout/script-rules.ts';
export { defineScenario, type Scenario, type ScenarioInput } from './shop/scenario.ts';
export type { ScenarioName, Settings, SettingsInput } from './shop/scenario.ts';
