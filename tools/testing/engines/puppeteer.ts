import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import puppeteer, { type Browser, type LaunchOptions, type Page } from 'puppeteer-core'
import { HIDDEN_PAGES } from '../browser/launch-chromium.ts'
import type { Chromium } from '../browser/run-chromium.ts'
import type { Engine, EngineOptions, Tab } from './engine.ts'
import { beBusy, findProcess } from './find-process.ts'

// Only our own pages are loaded, and root has no sandbox.
const CHROMIUM_ARGS = ['--no-sandbox', '--disable-gpu', '--disable-quic', `--disable-features=${HIDDEN_PAGES.join()}`]

const toTab = (page: Page, pid: number): Tab => ({
  evaluate: (run: (given: never) => unknown, given?: unknown) => page.evaluate(run as () => never, ...[given as never]),
  goto: async (url) => void (await page.goto(url)),
  reload: async () => void (await page.reload()),
  close: () => page.close(),
  findProcess: () => findProcess(pid, () => page.evaluate(beBusy)),
})

const start = async (options: LaunchOptions): Promise<Engine> => {
  const browser: Browser = await puppeteer.launch(options)
  const pid = browser.process()?.pid ?? 0
  return {
    openTab: async () => toTab(await browser.newPage(), pid),
    close: () => browser.close(),
  }
}

export const startChromium = async ({ executablePath, env }: Chromium, { blocksData }: EngineOptions): Promise<Engine> => {
  const profile = mkdtempSync(join(tmpdir(), 'countersign-chromium-'))
  mkdirSync(join(profile, 'Default'))
  // 2: no site may store data.
  const settings = { profile: { default_content_setting_values: { cookies: blocksData ? 2 : 1 } } }
  writeFileSync(join(profile, 'Default', 'Preferences'), JSON.stringify(settings))
  const engine = await start({
    executablePath,
    env: { ...process.env, ...env },
    args: CHROMIUM_ARGS,
    userDataDir: profile,
  })
  const close = async () => {
    await engine.close()
    rmSync(profile, { recursive: true, force: true })
  }
  return { ...engine, close }
}

export const startFirefox = (executablePath: string, { blocksData }: EngineOptions): Promise<Engine> =>
  start({
    browser: 'firefox',
    executablePath,
    // 2: no site may store data.
    extraPrefsFirefox: blocksData ? { 'network.cookie.cookieBehavior': 2 } : {},
  })
