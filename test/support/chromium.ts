import { spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, renameSync, rmSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import { root } from '../../tools/run.ts';

/** The options with which Playwright starts Chromium. */
export interface ChromiumLaunch {
  executablePath?: string;
  args: string[];
  env?: Record<string, string>;
}

/** For containers, for root and for machines without a network: Chromium sends no requests of its own. */
const args = [
  '--no-sandbox',
  '--disable-gpu',
  '--disable-quic',
  '--no-first-run',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
];

const systemNames = ['chromium', 'chromium-browser', 'google-chrome-stable', 'google-chrome'];

/** The npm package that contains a Chromium, for Linux on x64. */
const packaged = join(root, 'node_modules/@sparticuz/chromium/bin');

/**
 * Returns the first available Chromium: the one that `CHROMIUM_PATH` names, the system's, the one inside the npm package
 * `@sparticuz/chromium`, else the one that Playwright downloads for itself.
 */
export async function chromiumLaunch(): Promise<ChromiumLaunch> {
  const path = namedChromium();
  if (path !== undefined) return { executablePath: path, args };
  return isPackaged() ? packagedChromium() : { args };
}

/** Returns whether `chromiumLaunch` has a Chromium to start, and starts none. */
export async function hasChromium(): Promise<boolean> {
  if (namedChromium() !== undefined || isPackaged()) return true;
  const { chromium } = await import('playwright');
  return existsSync(chromium.executablePath());
}

function namedChromium(): string | undefined {
  return process.env['CHROMIUM_PATH'] ?? systemChromium();
}

function isPackaged(): boolean {
  return process.platform === 'linux' && process.arch === 'x64' && existsSync(packaged);
}

function systemChromium(): string | undefined {
  const folders = (process.env['PATH'] ?? '').split(delimiter);
  return folders
    .flatMap((folder) => systemNames.map((name) => join(folder, name)))
    .find((path) => existsSync(path));
}

async function packagedChromium(): Promise<ChromiumLaunch> {
  const folder = await unpackedOnce();
  const executablePath = join(folder, 'chromium');
  const env = { ...(process.env as Record<string, string>) };
  if (!existsSync('/etc/fonts')) env['FONTCONFIG_PATH'] = join(folder, 'fonts');
  if (!starts(executablePath, env)) env['LD_LIBRARY_PATH'] = join(folder, 'al2023', 'lib');
  return { executablePath, args, env };
}

/** A Chromium without a required system library (mostly NSS) cannot print its version. */
function starts(executablePath: string, env: Record<string, string>): boolean {
  return spawnSync(executablePath, ['--no-sandbox', '--version'], { env }).status === 0;
}

/**
 * The package unpacks into the system's temporary folder and accepts any files that it finds there, even those that an
 * interrupted run left. So it unpacks into a separate folder here, which is renamed when it is complete.
 */
async function unpackedOnce(): Promise<string> {
  const cache = join(root, 'node_modules/.cache');
  const folder = join(cache, 'chromium');
  if (existsSync(folder)) return folder;
  mkdirSync(cache, { recursive: true });
  const unfinished = mkdtempSync(join(cache, 'chromium-'));
  await unpackInto(unfinished, packaged);
  try {
    renameSync(unfinished, folder);
  } catch (error) {
    if (!existsSync(folder)) throw error;
    rmSync(unfinished, { recursive: true });
  }
  return folder;
}

async function unpackInto(folder: string, source: string): Promise<void> {
  const { inflate } = await import('@sparticuz/chromium');
  const before = process.env['TMPDIR'];
  process.env['TMPDIR'] = folder;
  try {
    const archives = ['chromium.br', 'fonts.tar.br', 'al2023.tar.br'];
    await Promise.all(archives.map((archive) => inflate(join(source, archive))));
  } finally {
    if (before === undefined) delete process.env['TMPDIR'];
    else process.env['TMPDIR'] = before;
  }
}
