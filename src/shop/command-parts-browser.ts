/** Replaces `command-parts.ts` in the bundle for browsers, where no command runs and no report is made. */
export const commandParts = {};
