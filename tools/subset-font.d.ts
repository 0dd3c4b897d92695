/** https://github.com/papandreou/subset-font#api */
declare module 'subset-font' {
  interface Options {
    readonly targetFormat: 'woff2';
    readonly variationAxes: Readonly<Record<string, number | { min: number; max: number }>>;
    /** Tags of OpenType features. */
    readonly keepFeatures: readonly string[];
  }
  export default function subsetFont(font: Buffer, text: string, options: Options): Promise<Buffer>;
}
