import { expect, it } from 'vitest'
import { addAuthenticator } from '../../../../tools/testing/browser/virtual-authenticator.ts'
import { describeOnStage } from '../../../playground/test/browser/stage.ts'
import { button, enrol, expectAccessible, openApprover, openPhone, openRequest, refuse, signIn } from './approver-page.ts'

describeOnStage('a phone at /approve/ that no longer works', (stage) => {
  it('the page shows a locked account, since when, and how to unlock it, also after a reload, until it is open again', async () => {
    const { page, user } = await openPhone(stage)
    await page.getByRole('link', { name: 'Account' }).click()
    await page.getByText('Lock my account').first().click()
    await button(page, 'Lock my account').click()
    const locked = page.getByRole('heading', { name: 'Your account is locked' })
    const isShown = async (): Promise<void> => {
      await locked.waitFor()
      await page.getByText(/^Since \S/).waitFor()
      await page.getByText('Ask an administrator').waitFor()
      expect(await page.getByText('session has ended').count()).toBe(0)
    }
    await isShown()
    await expectAccessible(page)
    await page.reload()
    await isShown()
    const asked = page.waitForResponse('**/mobile/biometric')
    await button(page, 'Check again').click()
    await asked
    await isShown()
    await stage.server.change('unlock', user.email)
    await button(page, 'Check again').click()
    await page.getByRole('heading', { name: 'Continue' }).waitFor()
    await button(page, 'Continue').click()
    await page.getByRole('heading', { name: 'Account' }).waitFor()
  })

  it('the page shows that an administrator has locked or disabled the account while it was open', async () => {
    const { page, user } = await openPhone(stage)
    await stage.server.change('lock', user.email)
    await page.getByRole('heading', { name: 'Your account is locked' }).waitFor()
    await stage.server.change('unlock', user.email)
    await page.reload()
    await button(page, 'Continue').click()
    await page.getByText('Nothing waits for you').waitFor()
    await stage.server.change('disable', user.email)
    await page.getByRole('heading', { name: 'Your account is disabled' }).waitFor()
    await page.getByText(/^Since \S/).waitFor()
  })

  it('the page shows that the phone was removed, and sets it up again', async () => {
    const { page, user } = await openPhone(stage)
    const other = await openApprover(stage)
    await enrol(other, user)
    await other.getByText('Nothing waits for you').waitFor()
    // The page is slow to find out why its session ended. Until then, it does not claim that its key still signs.
    const held = Promise.withResolvers<void>()
    const asked = Promise.withResolvers<void>()
    await page.route('**/mobile/biometric', async (route) => {
      asked.resolve()
      await held.promise
      await route.continue()
    })
    await other.getByRole('link', { name: 'Account' }).click()
    await other.getByRole('button', { name: /^Remove/ }).click()
    await other.getByRole('dialog').getByRole('button', { name: 'Remove', exact: true }).click()
    await asked.promise
    expect(await page.getByText('The key of this phone still signs').count()).toBe(0)
    held.resolve()
    await page.getByRole('heading', { name: 'This phone was removed' }).waitFor()
    await expectAccessible(page)
    await page.reload()
    await page.getByRole('heading', { name: 'This phone was removed' }).waitFor()
    await button(page, 'Set up this phone again').click()
    await enrol(page, user)
    await page.getByText('Nothing waits for you').waitFor()
  })

  it('the page shows that a phone was not accepted, after another phone has refused it, and what became of it', async () => {
    const { page: trusted, user } = await openPhone(stage)
    const origin = await stage.server.startTwin({ COUNTERSIGN_ENROLMENT: 'vouched' })
    const page = await openApprover({ ...stage, server: { ...stage.server, origin } })
    await enrol(page, user)
    await page.locator('.number').waitFor()
    await openRequest(trusted)
    await refuse(trusted, 'Reject')
    await trusted.getByText('was removed from your account').waitFor()
    expect(await trusted.getByText('Nothing happens').count()).toBe(0)
    const isShown = async (): Promise<void> => {
      await page.getByRole('heading', { name: 'This phone was not accepted' }).waitFor()
      await page.getByText('Another phone of yours refused it').waitFor()
    }
    await isShown()
    await expectAccessible(page)
    await page.reload()
    await isShown()
    await button(page, 'Set up this phone again').click()
    await page.getByRole('heading', { name: 'Sign in' }).waitFor()
  })

  it('the page shows a locked account to a person who has only a passkey, when the person proves it', async () => {
    const user = await stage.server.createUser()
    const { page: address } = await stage.server.startStaticPage(
      { passkeyApprovals: true },
      { COUNTERSIGN_PASSKEY_APPROVALS: 'on' },
    )
    const page = await openApprover(stage, undefined, address)
    await addAuthenticator(page)
    await signIn(page, user)
    await button(page, 'Approve with a passkey instead').click()
    await page.getByText('Nothing waits for you').waitFor()
    await stage.server.change('lock', user.email)
    await page.getByText('Continue with your passkey').waitFor()
    await button(page, 'Continue').click()
    const locked = page.getByRole('heading', { name: 'Your account is locked' })
    await locked.waitFor()
    await page.getByText(/^Since \S/).waitFor()
    await page.reload()
    await locked.waitFor()
    const refused = page.waitForResponse('**/webauthn/login/finish')
    await button(page, 'Check again').click()
    expect((await refused).status()).toBe(401)
    await locked.waitFor()
    await stage.server.change('unlock', user.email)
    await button(page, 'Check again').click()
    await page.getByText('Nothing waits for you').waitFor()
    // A phone that is not set up says it too.
    await page.getByRole('link', { name: 'Account' }).click()
    await page.getByText('Stop using this phone').first().click()
    await button(page, 'Stop using this phone').click()
    await page.getByRole('heading', { name: 'Sign in' }).waitFor()
    await stage.server.change('disable', user.email)
    await button(page, 'Sign in with a passkey').click()
    await page.getByRole('alert').getByText('Your account is disabled').waitFor()
  })
})
