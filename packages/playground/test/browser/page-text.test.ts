import { expect, it } from 'vitest'
import { findLowContrast, showColours } from '../../../../tools/testing/browser/find-low-contrast.ts'
import { keepScreenshots } from '../../../../tools/testing/browser/screenshots.ts'
import { addAuthenticator } from '../../../../tools/testing/browser/virtual-authenticator.ts'
import { askForPayment, createPasskey, listedPasskeys, registerPhone, signInWithPassword } from './playground.ts'
import { describeOnStage } from './stage.ts'

describeOnStage('the text on the page', (stage) => {
  it('the page begins with its purpose, on a phone too', async () => {
    const { page } = await stage.open()
    for (const width of [1280, 390]) {
      await page.setViewportSize({ width, height: 844 })
      await page.reload()
      await page.getByText('Sign in on the web and on the phone.').waitFor()
    }
  })

  it('the page distinguishes two devices of the same name, and two passkeys', async () => {
    const here = await stage.openWith({}, { view: 'all' })
    const user = await stage.server.createUser()
    await registerPhone(here, user)
    const elsewhere = await stage.open({ view: 'phone', context: await stage.newContext() })
    await registerPhone(elsewhere, user)
    await signInWithPassword(here, user)
    const remove = here.web.region.getByRole('button', { name: /^Remove device .+ \(.{8}\)$/ })
    await remove.nth(1).waitFor()
    const names = await remove.evaluateAll((buttons) => buttons.map((button) => button.ariaLabel ?? ''))
    expect(new Set(names).size).toBe(2)

    await createPasskey(here)
    await here.authenticator.remove()
    await addAuthenticator(here.page, { transport: 'usb' })
    await createPasskey(here)
    expect(new Set(await listedPasskeys(here)).size).toBe(2)
    await keepScreenshots(here.page, 'devices')
  })

  it('the text has enough contrast in light and in dark colours', async () => {
    const here = await stage.open()
    // A tall window shows everything without scrolling: the colours of hidden text cannot be measured.
    await here.page.setViewportSize({ width: 1280, height: 3000 })
    const expectContrast = async (least: number): Promise<void> => {
      for (const colorScheme of ['light', 'dark'] as const) {
        await showColours(here.page, colorScheme)
        const { low, unknown, enough } = await findLowContrast(here.page)
        expect({ colorScheme, low, unknown }).toEqual({ colorScheme, low: [], unknown: [] })
        expect(enough).toBeGreaterThan(least)
      }
    }
    await expectContrast(0)
    await signInWithPassword(here, await stage.server.createUser())
    await askForPayment(here, { amount: '1250', recipient: 'Ada' })
    await expectContrast(30)
  })

  it('the latest call in the log stays visible when calls repeat', async () => {
    const here = await stage.open()
    await signInWithPassword(here, await stage.server.createUser())
    const calls = here.page.getByRole('region', { name: 'Calls' })
    const callsOf = (path: string) => calls.getByRole('listitem').filter({ hasText: path })
    await callsOf('/auth/webauthn/credentials').waitFor()
    await callsOf('/auth/devices').waitFor()
    const lines = await calls.getByRole('listitem').count()
    for (const times of [2, 3]) {
      await here.web.button('Read again').click()
      await callsOf('/auth/devices')
        .filter({ hasText: `, ${times} times` })
        .waitFor()
    }
    expect(await calls.getByRole('listitem').count()).toBe(lines)
  })
})
