import type { BrowserContext, Page } from 'playwright-core'
import { expect, it } from 'vitest'
import { findLowContrast, showColours } from '../../../../tools/testing/browser/find-low-contrast.ts'
import { describeOnStage } from '../../../playground/test/browser/stage.ts'
import { button, enrol, expectAccessible, openApprover } from './approver-page.ts'

describeOnStage('the brand of the host on the page at /approve/', (stage) => {
  /** Opens the page with these settings, on a phone that is not enrolled. */
  const openWith = async (settings: object | string, context?: BrowserContext): Promise<Page> => {
    const given = context ?? (await stage.newContext())
    const body = typeof settings === 'string' ? settings : JSON.stringify(settings)
    await given.route('**/approve/settings.json', (route) => route.fulfill({ contentType: 'application/json', body }))
    const page = await given.newPage()
    await page.goto(`${stage.server.origin}/approve/`)
    return page
  }
  const enrolled = async (settings: object): Promise<Page> => {
    const context = await stage.newContext()
    await context.route('**/approve/settings.json', (route) => route.fulfill({ json: settings }))
    const page = await openApprover(stage, context)
    await enrol(page, await stage.server.createUser())
    await page.getByRole('heading', { name: 'Inbox' }).waitFor()
    return page
  }

  it.each(['#ffcc00', '#0b0b0f', '#f5f5f5', '#0a5c36'])(
    'links, the focus and the sections can be read in the colour %s, in light and in dark',
    async (color) => {
      const page = await enrolled({ color, supportUrl: 'https://example.com/help' })
      await page.getByRole('link', { name: 'Account' }).click()
      await page.getByText('this session', { exact: true }).waitFor()
      await page.setViewportSize({ width: 390, height: 3000 })
      const accents: string[] = []
      for (const colorScheme of ['light', 'dark'] as const) {
        await showColours(page, colorScheme)
        expect(await findLowContrast(page)).toMatchObject({ low: [], unknown: [] })
        await page.getByRole('link', { name: 'Account' }).focus()
        const section = page.getByRole('link', { name: 'Account' })
        accents.push(await section.evaluate((link) => getComputedStyle(link).color))
      }
      expect(new Set(accents).size).toBe(2)
      const themes = await page
        .locator('meta[name="theme-color"]')
        .evaluateAll((all) => all.map((meta) => [meta.getAttribute('media'), meta.getAttribute('content')]))
      // A colour that is the ground of the page itself is darker or lighter on the bar, as on buttons.
      expect(themes.map(([media]) => media)).toEqual(['(prefers-color-scheme: light)', '(prefers-color-scheme: dark)'])
      expect(themes.map(([, content]) => content)).toContain(color)
    },
  )

  it('a logo that cannot be loaded is not shown, and a name of 64 letters fits the narrowest phone', async () => {
    const name = 'Wirtschaftsprüfungsgesellschaft'.repeat(3).slice(0, 64)
    const context = await stage.newContext()
    // A missing file would be an error in the console, which fails every test.
    await context.route('**/nothing.png', (route) => route.fulfill({ contentType: 'image/png', body: 'no image' }))
    const page = await openWith({ name, logoUrl: 'nothing.png' }, context)
    const header = page.getByRole('banner')
    await header.locator('svg').waitFor()
    expect(await header.locator('img').count()).toBe(0)
    expect(await header.textContent()).toBe(name)
    await expectAccessible(page)
  })

  it('a dark logo is shown on a dark ground', async () => {
    const page = await openWith({ logoUrl: 'icon-512.png', logoDarkUrl: 'icon.svg' })
    const shown = () => page.locator('header img').evaluate((logo: HTMLImageElement) => new URL(logo.currentSrc).pathname)
    await page.emulateMedia({ colorScheme: 'light' })
    await expect.poll(shown).toBe('/approve/icon-512.png')
    await page.emulateMedia({ colorScheme: 'dark' })
    await expect.poll(shown).toBe('/approve/icon.svg')
  })

  it('the page has the links and the words of the host, in the language of the person', async () => {
    const page = await enrolled({
      supportUrl: 'mailto:help@example.com',
      imprintUrl: 'https://example.com/imprint',
      privacyUrl: 'https://example.com/privacy',
      emptyInboxText: { en: 'All done. Have a good day.', de: 'Alles erledigt.' },
    })
    await page.getByText('All done. Have a good day.').waitFor()
    await page.getByRole('link', { name: 'Account' }).click()
    const links = page.getByRole('contentinfo').getByRole('link')
    await links.first().waitFor()
    expect(await links.evaluateAll((all) => all.map((link) => link.getAttribute('href')))).toEqual([
      'mailto:help@example.com',
      'https://example.com/imprint',
      'https://example.com/privacy',
    ])
    await page.getByLabel('Language').selectOption('de')
    await page.getByRole('link', { name: 'Eingang' }).click()
    await page.getByText('Alles erledigt.').waitFor()
  })

  it('a locked account has the words of the host and its contact, once', async () => {
    const context = await stage.newContext()
    const settings = { supportUrl: 'tel:+4373200', imprintUrl: 'https://example.com/imprint', lockedText: 'Call us at any time.' }
    await context.route('**/approve/settings.json', (route) => route.fulfill({ json: settings }))
    const page = await openApprover(stage, context)
    const user = await stage.server.createUser()
    await enrol(page, user)
    await page.getByRole('heading', { name: 'Inbox' }).waitFor()
    await stage.server.change('lock', user.email)
    await page.getByRole('heading', { name: 'Your account is locked' }).waitFor()
    await page.getByText('Call us at any time.').waitFor()
    await page.getByRole('link', { name: 'Imprint' }).waitFor()
    expect(await page.getByRole('link', { name: 'Help and contact' }).count()).toBe(1)
    await expectAccessible(page)
  })

  it('the page says that its settings are broken, and asks for no password if it does not know the service', async () => {
    for (const settings of ['{ "server": "https://auth.exa', { server: 'not a url' }]) {
      const page = await openWith(settings)
      await page.getByRole('alert').getByText('This page is not set up correctly').waitFor()
      expect(await page.getByLabel('Password').count()).toBe(0)
    }
    const page = await openWith({ name: 'Example Bank', color: 'green', privacyUrl: 'javascript:alert(1)' })
    await page.getByRole('alert').getByText('color, privacyUrl').waitFor()
    await button(page, 'Sign in with password').waitFor()
    await expectAccessible(page)
  })
})
