/** Runs a command in a folder and gives what it printed. */
export type Run = (command: string, args: string[], folder: string) => Promise<string>;
