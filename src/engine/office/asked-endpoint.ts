import type { ApiEndpoint, EngineShop } from '../definition/api.ts';
import { checkOf, type OwnCheck } from '../definition/records.ts';
import type { JournalEntry } from '../journal/recorded-exchange.ts';
import { nameOf } from '../lib/api-path.ts';
import { Problem, type FieldIssue } from '../lib/problem.ts';
import type { AnyCall } from '../rest/endpoint.ts';
import type { Form } from '../rest/form.ts';
import { parseTarget } from '../rest/serve.ts';
import { exampleBody } from './example-body.ts';

export type Values = Readonly<Record<string, unknown>>;

/** What refused a field: its form, a check, with what it looked for if that is known, or the handler. */
export type Decision = 'form' | 'check' | NonNullable<ReturnType<typeof checkOf>> | 'handler';

/** Whether code of a definition refused a field. */
export function isOwnCheck(decision: Decision): decision is OwnCheck {
  return typeof decision === 'object' && 'rule' in decision;
}

/** Whether a field was refused because it refers to no record of a table. */
export function isReference(
  decision: Decision,
): decision is Exclude<Extract<Decision, object>, OwnCheck> {
  return typeof decision === 'object' && !isOwnCheck(decision);
}

/** The endpoint of a recorded request, to ask what it would say to other parameters. Nothing that it does stays. */
export class AskedEndpoint {
  readonly row: ApiEndpoint;
  readonly shop: EngineShop;
  readonly form: Form<unknown> | undefined;
  /** The body of its example. */
  readonly example: Values;
  readonly #call: Omit<AnyCall<{ shop: EngineShop }>, 'query' | 'body' | 'subject' | 'sent'>;

  constructor(shop: EngineShop, row: ApiEndpoint, { url }: Pick<JournalEntry, 'url'>) {
    this.shop = shop;
    this.row = row;
    this.form = row.method === 'GET' ? row.query : row.body;
    this.example = exampleBody(row);
    const target = parseTarget(url);
    const parts = nameOf(shop.api.path, target.path).split('/');
    const names = row.path.split('/').entries();
    const params = Object.fromEntries(
      [...names].flatMap(([at, name]) =>
        name.startsWith(':') ? [[name.slice(1), parts[at] ?? '']] : [],
      ),
    );
    this.#call = { shop, params, target, headers: {} };
  }

  /** Returns the issues that the form finds. */
  formIssues(sent: Values): readonly FieldIssue[] {
    const { row, form, shop } = this;
    // Others in a query are ignored.
    const isKnown = (name: string): boolean =>
      row.method !== 'GET' || Object.hasOwn(form?.children ?? {}, name);
    const known = Object.entries(sent).filter(([name]) => isKnown(name));
    return form?.parse(Object.fromEntries(known), shop.settings.unknownParameters).issues ?? [];
  }

  /** Returns what refuses a field. */
  decision(sent: Values, path: readonly string[]): Decision {
    const isHere = isAt(path, true);
    if (this.formIssues(sent).some(isHere)) return 'form';
    const issue = this.#checkIssues(sent)?.find(isHere);
    return issue === undefined ? 'handler' : (checkOf(issue) ?? 'check');
  }

  /** Whether a field has no issue. @param isWhole compares the fields below it too */
  accepts(sent: Values, path: readonly string[], decision: Decision, isWhole: boolean): boolean {
    const isHere = isAt(path, isWhole);
    const checked = this.#checkIssues(sent);
    if (checked === undefined) return false;
    const issues = [...this.formIssues(sent), ...checked];
    if (issues.some(isHere)) return false;
    // A handler may write, so it is not called for what is decided before it.
    return decision !== 'handler' || (issues.length === 0 && this.#isHandled(sent, isHere));
  }

  /** Returns the code of a definition that refuses a request as a whole. */
  refusedBy(sent: Values): OwnCheck | undefined {
    try {
      this.row.check?.(this.#callWith(sent));
    } catch (error) {
      const check = error instanceof Problem ? checkOf(error) : undefined;
      return check !== undefined && isOwnCheck(check) ? check : undefined;
    }
    return undefined;
  }

  /** Returns undefined if code of a definition throws for these values, which no client has sent. */
  #checkIssues(sent: Values): readonly FieldIssue[] | undefined {
    try {
      const issues = this.row.check?.(this.#callWith(sent)) ?? [];
      return issues.filter((issue) => issue !== undefined);
    } catch (error) {
      return error instanceof Problem ? [] : undefined;
    }
  }

  #isHandled(sent: Values, isHere: (issue: FieldIssue) => boolean): boolean {
    const { shop, row } = this;
    const { transaction, onMove, onTransition, firedRules, matchedRules } = shop;
    const before = [[...firedRules], [...matchedRules]] as const;
    shop.onMove = shop.onTransition = undefined;
    const mark = transaction.mark();
    try {
      row.handle(this.#callWith(sent));
      return true;
    } catch (error) {
      return error instanceof Problem && error.kind === 'invalid' && !error.fields.some(isHere);
    } finally {
      transaction.rollback(mark);
      transaction.release(mark);
      firedRules.splice(0, Infinity, ...before[0]);
      matchedRules.splice(0, Infinity, ...before[1]);
      Object.assign(shop, { onMove, onTransition });
    }
  }

  /** @throws Problem if the record of the path does not exist, or its state allows no such request */
  #callWith(sent: Values): AnyCall<{ shop: EngineShop }> {
    const { shop, row, form } = this;
    const call = this.#call;
    const values = form?.parse(sent, 'ignore').values ?? {};
    const [query, body] = row.method === 'GET' ? [values, {}] : [{}, values];
    return { ...call, query, body, sent, subject: row.subject?.({ shop, params: call.params }) };
  }
}

/** Returns whether an issue is at a path, or below it. */
function isAt(path: readonly string[], orBelow: boolean): (issue: FieldIssue) => boolean {
  return (issue) =>
    path.every((name, at) => issue.path[at] === name) &&
    (orBelow || issue.path.length === path.length);
}
