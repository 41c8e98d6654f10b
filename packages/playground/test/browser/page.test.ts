import type { Page } from 'playwright-core'
import { expect, it } from 'vitest'
import { showColours } from '../../../../tools/testing/browser/find-low-contrast.ts'
import { findViolations } from '../../../../tools/testing/browser/find-violations.ts'
import { keepScreenshots, widths } from '../../../../tools/testing/browser/screenshots.ts'
import { button, openRequest } from '../../../approver/test/browser/approver-page.ts'
import { askForPayment, createPasskey, type Part, type Playground, registerPhone, signInWithPassword } from './playground.ts'
import { describeOnStage } from './stage.ts'

/** Presses Tab until the focus is on an element with this role and name. */
const tabTo = async ({ region }: Part, role: 'button' | 'textbox', name: string): Promise<void> => {
  const page = region.page()
  for (let pressed = 0; pressed < 100; pressed++) {
    await page.keyboard.press('Tab')
    const reached = page.locator(':focus').and(region.getByRole(role, { name, exact: true }))
    if ((await reached.count()) === 1) return
  }
  throw new Error(`the Tab key does not lead to ${name}`)
}

const expectNoSidewaysScroll = async (page: Page): Promise<void> => {
  const { content, window } = await page.evaluate(() => ({
    content: document.documentElement.scrollWidth,
    window: document.documentElement.clientWidth,
  }))
  expect(content).toBeLessThanOrEqual(window)
}

const showPart = async ({ page }: Playground, part: 'Web' | 'Phone' | 'Calls'): Promise<void> => {
  await page.getByRole('navigation', { name: 'View' }).getByRole('link', { name: part }).click()
}

describeOnStage('the page at /', (stage) => {
  it('leads to the playground, the approver and the API in light and in dark, and logs no error', async () => {
    const page = await (await stage.newContext()).newPage()
    for (const colorScheme of ['light', 'dark'] as const) {
      await page.emulateMedia({ colorScheme })
      for (const [name, path] of [
        ['Playground', '/playground'],
        ['Approver', '/approve/'],
        ['API', '/docs'],
      ] as const) {
        await page.goto(`${stage.server.origin}/`)
        expect(await findViolations(page)).toEqual([])
        await page.getByRole('link', { name }).click()
        await page.waitForURL(`${stage.server.origin}${path}`)
      }
    }
  })
})

/** The colour that the page gives to the bar of the browser, and the colour of the page below that bar. */
const coloursAtTop = (page: Page): Promise<readonly [bar: string, top: string]> =>
  page.evaluate(() => {
    const shown = [...document.querySelectorAll<HTMLMetaElement>('meta[name="theme-color"]')].filter(
      ({ media }) => matchMedia(media).matches,
    )
    const sample = document.createElement('i')
    sample.style.color = shown.map(({ content }) => content).join()
    document.body.append(sample)
    const bar = getComputedStyle(sample).color
    sample.remove()
    const colourOf = (element: Element): string => getComputedStyle(element).backgroundColor
    let top = document.elementFromPoint(1, 1) ?? document.documentElement
    while (colourOf(top) === 'rgba(0, 0, 0, 0)') top = top.parentElement ?? document.body
    return [bar, colourOf(top)] as const
  })

describeOnStage('the bar of the browser', (stage) => {
  it.each(['/', '/playground', '/approve/', '/docs'])(
    'the bar of the browser has the colour of the top of the page at %s, in light and in dark',
    async (path) => {
      const page = await (await stage.newContext()).newPage()
      await page.goto(`${stage.server.origin}${path}`)
      const bars: string[] = []
      for (const colorScheme of ['light', 'dark'] as const) {
        await showColours(page, colorScheme)
        const [bar, top] = await coloursAtTop(page)
        expect(bar).toBe(top)
        bars.push(bar)
      }
      expect(new Set(bars).size).toBe(2)
    },
  )
})

describeOnStage('the playground page', (stage) => {
  it('the playground can be used from the sign-in to a request by keyboard alone', async () => {
    const here = await stage.open()
    const { page, web } = here
    const user = await stage.server.createUser()
    await tabTo(web, 'textbox', 'E-mail')
    await page.keyboard.press('ControlOrMeta+a')
    await page.keyboard.type(user.email)
    await tabTo(web, 'textbox', 'Password')
    await page.keyboard.press('ControlOrMeta+a')
    await page.keyboard.type(user.password)
    await page.keyboard.press('Enter')
    await expect.poll(web.signedIn).toBe('Signed in with a password')

    await tabTo(web, 'button', 'Ask for approval')
    await page.keyboard.press('Enter')
    await web.region.getByRole('list', { name: 'Payments asked for' }).getByRole('listitem').waitFor()
  })

  it(`the playground fits screens ${widths.join(' and ')} pixels wide, whatever it shows`, async () => {
    const here = await stage.openWith({}, { view: 'all' })
    const { page, web, phone } = here
    /** At the end, the page has the first width again, which is the width of a phone. */
    const expectToFit = async (): Promise<void> => {
      for (const width of [...widths].reverse()) {
        await page.setViewportSize({ width, height: 844 })
        await page.evaluate(() => new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done))))
        if (await page.locator('iframe').isVisible()) await phone.getByRole('heading', { name: 'Sign in' }).waitFor()
        await expectNoSidewaysScroll(page)
      }
    }
    await expectToFit()
    await keepScreenshots(page, 'signed-out')

    await signInWithPassword(here, await stage.server.createUser())
    await createPasskey(here)
    await askForPayment(here, { amount: '1250.50', recipient: 'A recipient with a name that is rather long'.repeat(3) })
    for (const token of ['Access token', 'Refresh token']) await web.region.locator('summary', { hasText: token }).click()
    await expectToFit()
    await showPart(here, 'Phone')
    await phone.getByRole('heading', { name: 'Sign in' }).waitFor()
    await expectToFit()

    await showPart(here, 'Calls')
    await page
      .getByRole('region', { name: 'Calls' })
      .locator('details')
      .evaluateAll((calls) => {
        for (const call of calls) (call as HTMLDetailsElement).open = true
      })
    await expectToFit()
    await keepScreenshots(page, 'calls')
    await page.emulateMedia({ colorScheme: 'dark' })
    await showPart(here, 'Phone')
    await keepScreenshots(page, 'phone-dark')
  })

  it('the playground shows the approver next to the web application, and the approver approves what the web asks for', async () => {
    const here = await stage.open()
    const user = await stage.server.createUser()
    await signInWithPassword(here, user)
    await registerPhone(here, user)
    expect((await here.page.locator('iframe').boundingBox())?.width).toBe(390)
    await askForPayment(here, { amount: '1250.50', recipient: 'Ada' })
    await openRequest(here.phone)
    await button(here.phone, 'Approve').click()
    await here.web.region.getByText('approved', { exact: true }).waitFor()
    await here.web.button('Read again').click()
    await here.web.region.getByRole('button', { name: /^Remove device / }).click()
    await here.phone.getByRole('heading', { name: 'This phone was removed' }).waitFor()
    await keepScreenshots(here.page, 'playground')
  })

  it('the playground explains at an IP address where passkeys work, and links there', async () => {
    const { page } = await stage.open()
    const { port } = new URL(stage.server.origin)
    await page.goto(`http://127.0.0.1:${port}/playground`)
    await page.getByRole('note').getByRole('link').click()
    await page.waitForURL(`${stage.server.origin}/playground`)
  })

  it('the playground is not served in production', async () => {
    const origin = await stage.server.startTwin({ NODE_ENV: 'production' })
    const context = await stage.newContext()
    for (const path of ['/playground', '/playground/playground.js', '/playground/style.css', '/playground/settings.json']) {
      const answer = await context.request.get(`${origin}${path}`)
      expect([path, answer.status()]).toEqual([path, 404])
    }
  })
})
