import { bonusItemIssue } from './checkout/promotions.ts';
import { machines } from './checkout/machines/transition.ts';
import { testCards } from './checkout/payment.ts';
import { restoreCounts } from './checkout/script.ts';
import {
  addRule,
  replaceRule,
  scriptRuleIssues,
  ScriptRuleInput,
} from './checkout/script-rules.ts';
import { runDueEvents } from './checkout/time.ts';
import type { ApiDefinition } from '../engine/definition/api.ts';
import { namedPath } from '../engine/lib/api-path.ts';
import { derived } from '../engine/lib/on-demand.ts';
import type { FieldIssue } from '../engine/lib/problem.ts';
import { maxRules } from '../engine/lib/rule-count.ts';
import { definitions, type Database } from './models/database.ts';
import { cartSteps, ScriptRule } from './models/script-rule.ts';
import type { Promotion } from './models/promotion.ts';
import type { Address } from './models/user.ts';
import { checkoutSteps } from './resources/checkout.ts';
import { contract } from './resources/index.ts';
import { storeShop, views } from './resources/endpoint.ts';
import { assertToken, exampleTokenUrl, oauthEndpoints } from './resources/oauth.ts';
import { builtInNames, openBuiltIn } from '../engine/scenario/built-in.ts';
import { brokenReferences } from '../engine/scenario/issues.ts';
import type { ReadyScenario } from '../engine/scenario/scenario.ts';
import { faultKinds } from '../engine/faults/fault-kinds.ts';
import { sources } from './built-in-names.ts';
import { orderRecords } from './order-records.ts';
import { idParameters, createCheckoutApi } from './office/checkout-api.ts';
import { playOrders, type OrderRecipe } from './office/play-orders.ts';
import { control, storeParts } from './store-parts.ts';
import { Scenario, Settings, type GenerateOptions, type ScenarioName } from './office/scenario.ts';

/** The tables that an order adds records to. */
const ordered = [
  'orders',
  'orderItems',
  'adjustments',
  'payments',
  'shipments',
  'inventoryUnits',
  'addresses',
  'settlements',
  'sequences',
];

/** The API of an online store's back office. */
export const storeApi: ApiDefinition = {
  name: 'store',
  path: namedPath,
  tables: definitions,
  faultKinds,
  endpoints: [...contract, ...oauthEndpoints],
  views: () => views,
  settings: Settings,
  settingReferences: { defaultTaxZone: 'zones' },
  scenario: Scenario,
  scenarioParts: {
    orders: {
      weight: (recipes: readonly OrderRecipe[]) => recipes.length,
      fill: playOrders,
      tables: ordered,
      isChecked: true,
    },
    generate: {
      weight: ({ orders }: GenerateOptions) => orders,
      fill(shop, options, onProgress) {
        storeParts.parts().generateOrders(storeShop(shop), options, onProgress);
        return [];
      },
      tables: [...ordered, 'users'],
      isChecked: false,
    },
  },
  sources,
  missingRecords,
  checks: {
    addresses: { issues: misplacedProvince },
    promotions: { issues: bonusItemIssues },
    scriptRules: {
      max: maxRules,
      issues: (rule: ScriptRule, _, { steps: all }) => scriptRuleIssues(rule, all),
    },
  },
  steps: [...cartSteps, ...checkoutSteps],
  machines: Object.values(machines),
  script: {
    input: ScriptRuleInput,
    rule: ScriptRule,
    issues: scriptRuleIssues,
    add: addRule,
    replace: replaceRule,
    rules: (shop) => storeShop(shop).db.scriptRules,
    restoreCounts,
  },
  explain: derived(storeParts, (parts) => parts().explanations()),
  owned: { orders: { records: orderRecords } },
  control,
  workflows: async () => (await import('./workflows/index.ts')).workflows,
  drift: async () => (await import('../verify/store/index.ts')).storeDrift,
  idParameters,
  officeMethods: (shop, atomic) => ({ checkout: createCheckoutApi(storeShop(shop), atomic) }),
  runDueEvents,
  exampleRequest: 'PUT /api/checkouts/:order_id',
  testCards: Object.keys(testCards),
  credentials: 'a token of POST /oauth/v2/token',
  tokenUrl: exampleTokenUrl,
  authenticate: assertToken,
};

/** The names of the built-in scenarios. */
export const builtInScenarios = builtInNames(storeApi) as readonly ScenarioName[];

/**
 * Returns a built-in scenario.
 *
 * @throws Problem `missing` that lists the names of the built-in scenarios
 */
export function builtInScenario(name: string): ReadyScenario {
  return openBuiltIn(storeApi, name);
}

function missingRecords(db: Database): string[] {
  const items = db.orderItems
    .all()
    .flatMap((item) => brokenReferences(db, db.orderItems.definition, item));
  const variants = db.variants
    .all()
    .flatMap((variant) => brokenReferences(db, db.variants.definition, variant));
  const masters = new Set(db.variants.all().map((one) => (one.master ? one.product_id : 0)));
  const bare = db.products.all().filter(({ id }) => !masters.has(id));
  return [
    ...[...items, ...variants].map(({ message }) => `${message}, though others refer to it`),
    ...bare.map(({ id }) => `Product ${id} has no master variant`),
  ];
}

/** Returns an issue if the province of an address is in another country: its link would be broken. */
function misplacedProvince({ country_id, province_id }: Address, db: Database): FieldIssue[] {
  const province = province_id === undefined ? undefined : db.provinces.get(province_id);
  if (province === undefined || province.country_id === country_id) return [];
  const message = `Province ${province.id} is in country ${province.country_id}, not in country ${country_id}`;
  return [{ path: ['province_id'], message }];
}

function bonusItemIssues({ actions }: Promotion): FieldIssue[] {
  return actions.flatMap(({ type, configuration }, at) => {
    const message = type === 'add_product' ? bonusItemIssue(configuration) : undefined;
    return message === undefined
      ? []
      : [{ path: ['actions', String(at), 'configuration'], message }];
  });
}
