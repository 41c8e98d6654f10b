import { type Browser, chromium } from 'playwright-core'
import type { Chromium } from './run-chromium.ts'

// Only our own pages are loaded, and root has no sandbox. The other options keep the browser from calling other servers.
const ARGS = [
  '--no-sandbox',
  '--disable-gpu',
  '--disable-quic',
  '--no-first-run',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
]

/** Starts a browser without windows. The caller closes it. */
export const launchChromium = ({ executablePath, env }: Chromium): Promise<Browser> =>
  chromium.launch({ executablePath, args: ARGS, env: { ...process.env, ...env } })
