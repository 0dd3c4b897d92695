const { CHROMIUM_PATH } = process.env;

/** How Chromium is started. */
export const launchOptions = {
  ...(CHROMIUM_PATH !== undefined && { executablePath: CHROMIUM_PATH }),
  args: ['--no-sandbox', '--disable-gpu', '--disable-quic', '--no-first-run'],
};
