/**
 * What the declarations of the package name of zod: the types that values are inferred from. The build copies this file
 * beside them, so that users need not install zod. Schemas are passed on to zod 4 nevertheless, in both directions,
 * because each `_zod` has what the types of the other require. `tools/package-types.ts` compares it with zod.
 */

/** A schema of zod 4, which schemas of your own can contain. */
export interface ZodType<out Output = unknown, out Input = unknown, out Internals = unknown> {
  readonly _zod: core.$ZodTypeInternals<Output, Input>;
  readonly '~standard': StandardProps<Input, Output>;
  /** Returns the parsed value. Throws a ZodError if it is not valid. */
  parse(value: unknown): Output;
  safeParse(value: unknown): SafeParsed<Output>;
}

type SafeParsed<Output> =
  | { readonly success: true; readonly data: Output; readonly error?: undefined }
  | { readonly success: false; readonly data?: undefined; readonly error: SchemaError };

/** The issues that a schema has found. */
interface SchemaError extends Error {
  readonly issues: readonly { readonly path: readonly PropertyKey[]; readonly message: string }[];
}

/** The properties of https://standardschema.dev, which every schema has. */
interface StandardProps<Input, Output> {
  readonly version: 1;
  readonly vendor: string;
  readonly types?: { readonly input: Input; readonly output: Output } | undefined;
  readonly validate: (value: unknown) => Validated<Output> | Promise<Validated<Output>>;
}

type Validated<Output> =
  | { readonly value: Output; readonly issues?: undefined }
  | { readonly issues: readonly StandardIssue[] };

interface StandardIssue {
  readonly message: string;
  readonly path?: readonly (PropertyKey | { readonly key: PropertyKey })[] | undefined;
}

export type output<Schema> = Schema extends { readonly _zod: { readonly output: unknown } }
  ? Schema['_zod']['output']
  : unknown;
export type input<Schema> = Schema extends { readonly _zod: { readonly input: unknown } }
  ? Schema['_zod']['input']
  : unknown;

export type ZodRawShape = Readonly<Record<string, core.SomeType>>;

export type ZodString = ZodType<string, string>;
export type ZodNumber = ZodType<number, number>;
export type ZodInt = ZodNumber;
export type ZodBoolean = ZodType<boolean, boolean>;
export type ZodUnknown = ZodType;
export type ZodLiteral<Value> = ZodType<Value, Value>;
export type ZodEnum<Values = Record<string, string>> = ZodType<
  Values[keyof Values],
  Values[keyof Values]
>;
export type ZodArray<Item extends core.SomeType> = ZodType<output<Item>[], input<Item>[]>;
export type ZodRecord<Key extends core.SomeType, Value extends core.SomeType> = ZodType<
  core.RecordOf<Key, output<Key>, output<Value>>,
  core.RecordOf<Key, input<Key>, input<Value>>
>;
export type ZodUnion<Options extends readonly core.SomeType[]> = ZodType<
  output<Options[number]>,
  input<Options[number]>
>;
export type ZodReadonly<Inner extends core.SomeType> = ZodType<
  Readonly<output<Inner>>,
  Readonly<input<Inner>>
>;
export interface ZodOptional<Inner extends core.SomeType> extends ZodType<
  output<Inner> | undefined,
  input<Inner> | undefined
> {
  readonly _zod: core.$ZodTypeInternals<output<Inner> | undefined, input<Inner> | undefined> & {
    readonly optin: 'optional';
    readonly optout: 'optional';
  };
}
export interface ZodDefault<Inner extends core.SomeType> extends ZodType<
  Exclude<output<Inner>, undefined>,
  input<Inner> | undefined
> {
  readonly _zod: core.$ZodTypeInternals<
    Exclude<output<Inner>, undefined>,
    input<Inner> | undefined
  > & { readonly optin: 'optional' };
}
export interface ZodObject<
  Shape extends ZodRawShape = ZodRawShape,
  Config extends core.$ZodObjectConfig = core.$strip,
> extends ZodType<core.ObjectOutput<Shape, Config['out']>, core.ObjectInput<Shape, Config['in']>> {
  readonly shape: Shape;
}

export declare namespace core {
  /** A schema, whatever its version of zod 4. */
  interface SomeType {
    readonly _zod: { readonly output: unknown; readonly input: unknown };
  }

  /** Zod requires all of these of a schema that it is given. Only the first two and the last two say something here. */
  interface $ZodTypeInternals<out Output = unknown, out Input = unknown> {
    readonly output: Output;
    readonly input: Input;
    readonly version: Unchecked;
    readonly def: Unchecked;
    readonly deferred: Unchecked;
    readonly traits: Unchecked;
    readonly pattern: Unchecked;
    readonly constr: Unchecked;
    readonly bag: Unchecked;
    readonly isst: Unchecked;
    run(payload: Unchecked, context: Unchecked): Unchecked;
    parse(payload: Unchecked, context: Unchecked): Unchecked;
    /** Whether a field of an object can be left out of what is parsed: set, if it can. Versions of zod name it differently. */
    readonly optin?: Unchecked;
    /** Whether it can be missing in what comes out. */
    readonly optout?: Unchecked;
  }

  // oxlint-disable-next-line typescript/no-explicit-any -- internal to zod, and not the same in each of its versions
  type Unchecked = any;

  /** What an object has beside the fields of its shape. */
  interface $ZodObjectConfig {
    readonly out: unknown;
    readonly in: unknown;
  }
  type $strict = $ZodObjectConfig;
  type $strip = $ZodObjectConfig;
  interface $loose {
    readonly out: Record<string, unknown>;
    readonly in: Record<string, unknown>;
  }
  /** Marks the keys of a record that need not all be there. */
  interface $partial {
    readonly '~~partial': true;
  }

  type ObjectOutput<Shape, More> = Flat<
    {
      -readonly [Name in keyof Shape as Shape[Name] extends OptionalOutput ? never : Name]: output<
        Shape[Name]
      >;
    } & {
      -readonly [Name in keyof Shape as Shape[Name] extends OptionalOutput ? Name : never]?: output<
        Shape[Name]
      >;
    } & More
  >;
  type ObjectInput<Shape, More> = Flat<
    {
      -readonly [Name in keyof Shape as Shape[Name] extends OptionalInput ? never : Name]: input<
        Shape[Name]
      >;
    } & {
      -readonly [Name in keyof Shape as Shape[Name] extends OptionalInput ? Name : never]?: input<
        Shape[Name]
      >;
    } & More
  >;
  interface OptionalOutput {
    readonly _zod: { readonly optout: 'optional' };
  }
  interface OptionalInput {
    readonly _zod: { readonly optin: 'optional' };
  }
  type Flat<Fields> = { [Name in keyof Fields]: Fields[Name] } & {};
  type RecordOf<Key, Name, Value> = Key extends $partial
    ? Partial<Record<Name & PropertyKey, Value>>
    : Record<Name & PropertyKey, Value>;

  /** Metadata of schemas. */
  interface $ZodRegistry<out Meta = unknown> {
    get(schema: SomeType): Meta | undefined;
  }
}
