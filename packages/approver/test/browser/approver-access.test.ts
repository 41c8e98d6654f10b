import type { Page } from 'playwright-core'
import { expect, it } from 'vitest'
import { describeOnStage } from '../../../playground/test/browser/stage.ts'
import { button, expectAccessible, openApprover, openPhone, openRequest, refuse, signIn } from './approver-page.ts'

const tabTo = async (page: Page, role: 'button' | 'link' | 'textbox', name: RegExp): Promise<void> => {
  for (let pressed = 0; pressed < 40; pressed++) {
    await page.keyboard.press('Tab')
    if ((await page.locator(':focus').and(page.getByRole(role, { name })).count()) === 1) return
  }
  throw new Error(`the Tab key does not lead to ${name.source}`)
}

describeOnStage('the page at /approve/ for everybody', (stage) => {
  it('the page violates no rule of WCAG 2.2 AA on any screen, light or dark, at 320 pixels or with text of twice the size', async () => {
    const page = await openApprover(stage)
    await expectAccessible(page)
    const user = await stage.server.createUser()
    await signIn(page, user)
    await expectAccessible(page)
    await button(page, 'Use this phone').click()
    await page.getByText('Nothing waits for you').waitFor()
    await expectAccessible(page)
    const payment = {
      actionType: 'payment_approval',
      actionPayload: { amount: '1250.50', currency: 'EUR', recipient: 'ACME GmbH' },
    }
    await stage.server.ask(user.id, { ...payment, numberMatching: true })
    await page.getByText('1 request waits for you').waitFor()
    await stage.server.ask(user.id, payment)
    await page.getByText('2 requests wait for you').waitFor()
    await expectAccessible(page)
    await openRequest(page)
    await button(page, 'Approve').click()
    await page.getByRole('alert').getByText('Type the two digits').waitFor()
    await expectAccessible(page)
    await refuse(page, 'Reject')
    await page.getByRole('heading', { name: 'Rejected' }).waitFor()
    await expectAccessible(page)
    await page.getByRole('link', { name: 'Next request' }).click()
    await button(page, 'Approve').click()
    await page.getByRole('heading', { name: 'Approved' }).waitFor()
    await expectAccessible(page)
    await page.getByRole('link', { name: 'See the receipt' }).click()
    await page.getByText('Genuine', { exact: true }).waitFor()
    await expectAccessible(page)
    await page.getByRole('link', { name: 'History' }).click()
    await page.getByRole('heading', { name: 'History' }).waitFor()
    await expectAccessible(page)
    await page.getByRole('link', { name: 'Account' }).click()
    await page.getByText('this session', { exact: true }).waitFor()
    await expectAccessible(page)
    await button(page, 'Sign out').click()
    await page.getByRole('heading', { name: 'Continue' }).waitFor()
    await expectAccessible(page)
  })

  it.each([
    ['de', 'ltr', 'Freigeben', 'Eingang'],
    ['fr', 'ltr', 'Approuver', 'À traiter'],
    ['es', 'ltr', 'Aprobar', 'Pendientes'],
    ['ar', 'rtl', 'موافقة', 'الوارد'],
  ])('the page shows the language %s, and still shows it after a reload', async (language, direction, approve, inbox) => {
    const { page, ask } = await openPhone(stage)
    await ask()
    await page.getByRole('link', { name: 'Account' }).click()
    await page.getByLabel('Language').selectOption(language)
    await page.reload()
    await page.getByRole('link', { name: inbox }).click()
    await page.getByRole('main').getByRole('listitem').getByRole('link').click()
    await button(page, approve).waitFor()
    expect(await page.evaluate(() => [document.documentElement.lang, document.documentElement.dir])).toEqual([
      language,
      direction,
    ])
    expect(await page.locator('.words').getAttribute('lang')).toBe(language)
    await expectAccessible(page)
  })

  it('the page can be used from the sign-in to the approval by keyboard alone', async () => {
    const user = await stage.server.createUser()
    const page = await openApprover(stage)
    await tabTo(page, 'textbox', /^E-mail$/)
    await page.keyboard.type(user.email)
    await tabTo(page, 'textbox', /^Password$/)
    await page.keyboard.type(user.password)
    await page.keyboard.press('Enter')
    await page.getByRole('heading', { name: 'Use this phone to approve' }).waitFor()
    await tabTo(page, 'button', /^Use this phone$/)
    await page.keyboard.press('Enter')
    await page.getByText('Nothing waits for you').waitFor()
    await stage.server.ask(user.id, {
      actionType: 'payment_approval',
      actionPayload: { amount: '1', currency: 'EUR', recipient: 'Ada' },
    })
    await page.getByText('1 request waits for you').waitFor()
    await tabTo(page, 'link', /Payment/)
    await page.keyboard.press('Enter')
    await tabTo(page, 'button', /^Approve$/)
    await page.keyboard.press('Space')
    await page.getByRole('heading', { name: 'Approved' }).waitFor()
  })

  it('the page has no animations for people who want less motion', async () => {
    const { page, ask } = await openPhone(stage)
    await page.emulateMedia({ reducedMotion: 'reduce' })
    await ask()
    await openRequest(page)
    const moving = () =>
      page.evaluate(
        () =>
          [...document.querySelectorAll('*')].filter((element) => {
            const { transitionDuration, animationName } = getComputedStyle(element)
            return transitionDuration !== '0s' || animationName !== 'none'
          }).length,
      )
    expect(await moving()).toBe(0)
    await page.emulateMedia({ reducedMotion: 'no-preference' })
    expect(await moving()).toBeGreaterThan(0)
  })
})
