/** Replaces `command-parts.ts` in the bundle for browsers, where no command runs. */
export const commandParts = {};
