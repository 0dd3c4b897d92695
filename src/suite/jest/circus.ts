/** A test: https://github.com/jestjs/jest/blob/main/packages/jest-types/src/Circus.ts */
export interface CircusTest {
  readonly type: 'test';
  readonly name: string;
  readonly parent: CircusBlock;
  readonly errors: readonly unknown[];
  mode?: string | null | undefined;
  concurrent: boolean;
  timeout?: number | undefined;
  fn?: ((...args: unknown[]) => unknown) | undefined;
}

export interface CircusHook {
  readonly type: 'beforeAll' | 'afterAll' | 'beforeEach' | 'afterEach';
}

export interface CircusBlock {
  readonly type: 'describeBlock';
  readonly name: string;
  readonly parent?: CircusBlock | undefined;
  children: (CircusBlock | CircusTest)[];
  readonly hooks: CircusHook[];
}

export interface CircusState {
  readonly rootDescribeBlock: CircusBlock;
  readonly unhandledErrors: readonly unknown[];
  readonly describeRetryOptions?: WeakMap<CircusBlock, unknown>;
}

export interface CircusExpect {
  getState(): { readonly snapshotState: { clear(): void } };
}

export type CircusEvent =
  | { readonly name: 'setup'; readonly runtimeGlobals: { readonly expect: CircusExpect } }
  | { readonly name: 'run_start' | 'run_describe_start' | 'run_finish' }
  | {
      readonly name:
        | 'test_start'
        | 'test_fn_start'
        | 'test_fn_success'
        | 'test_fn_failure'
        | 'test_done';
      readonly test: CircusTest;
    }
  | { readonly name: 'hook_failure'; readonly hook: CircusHook; readonly test?: CircusTest }
  | { readonly name: 'error'; readonly error: unknown };

/** Has the hooks `beforeAll` and `afterAll` of a group run around each test, outside of its other hooks. */
export function runAroundEach({ hooks }: CircusBlock): void {
  const ofType = (type: CircusHook['type']): CircusHook[] =>
    hooks.filter((hook) => hook.type === type);
  const before = ofType('beforeAll').map((hook) => ({ ...hook, type: 'beforeEach' as const }));
  const after = ofType('afterAll').map((hook) => ({ ...hook, type: 'afterEach' as const }));
  const others = [...ofType('beforeEach'), ...ofType('afterEach')];
  hooks.splice(0, Infinity, ...before, ...others, ...after);
}

/** Returns a test that runs as another one does. */
export function copyOf(test: CircusTest): CircusTest {
  const ownState = { errors: [], retryReasons: [], unhandledRejectionErrorByPromise: new Map() };
  return { ...test, ...ownState };
}

/** `checkout > pays` */
export function nameOf({ name, parent }: CircusTest): string {
  const names = [name];
  for (let block = parent; block.parent !== undefined; block = block.parent)
    names.unshift(block.name);
  return names.join(' > ');
}
