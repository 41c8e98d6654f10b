import { type Browser, chromium } from 'playwright-core'
import type { Chromium } from './run-chromium.ts'

/** Pages that Chromium opens for each page and nobody sees: two processes, and half of the processor time of a short test. */
export const HIDDEN_PAGES = [
  'SpareRendererForSitePerProcess',
  'WebUIOmniboxPopup',
  'WebUIOmniboxAimPopup',
  'WebUIOmniboxFullPopup',
] as const

/** Replaces the list of Playwright, which leaves the hidden pages on. */
const DISABLED = [
  ...HIDDEN_PAGES,
  'AimEnabled',
  'AvoidUnnecessaryBeforeUnloadCheckSync',
  'DestroyProfileOnBrowserClose',
  'HttpsFirstBalancedModeAutoEnable',
  'HttpsUpgrades',
  'MediaRouter',
  'NetworkTimeServiceQuerying',
  'OptimizationHints',
  'PaintHolding',
  'PreconnectToSearch',
  'ThirdPartyStoragePartitioning',
]

// Only our own pages are loaded, and root has no sandbox. The other options keep the browser from calling other servers.
const ARGS = [
  '--no-sandbox',
  '--disable-gpu',
  '--disable-quic',
  '--no-first-run',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
  `--disable-features=${DISABLED.join()}`,
]

export interface LaunchOptions {
  /**
   * True for a browser with a back/forward cache, as people have it. Playwright turns the cache off, because it does not notice
   * the end of such a navigation.
   */
  readonly backForwardCache?: boolean
  /** Further options of the command line. */
  readonly args?: readonly string[]
}

/** Starts a browser without windows. The caller closes it. */
export const launchChromium = ({ executablePath, env }: Chromium, options: LaunchOptions = {}): Promise<Browser> =>
  chromium.launch({
    executablePath,
    args: [...ARGS, ...(options.args ?? [])],
    ...(options.backForwardCache && { ignoreDefaultArgs: ['--disable-back-forward-cache'] }),
    env: { ...process.env, ...env },
  })
