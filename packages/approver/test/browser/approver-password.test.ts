import { expect, it, onTestFinished } from 'vitest'
import { describeOnStage } from '../../../playground/test/browser/stage.ts'
import { startMailServer } from '../../../server/src/testing/mail-server.ts'
import { button, expectAccessible, openApprover, openPhone } from './approver-page.ts'

const newPassword = 'another long password of mine'

describeOnStage('a forgotten password at /approve/', (stage) => {
  /** Opens the page of a server that mails codes. */
  const given = async (env: Readonly<Record<string, string>> = {}) => {
    const mailServer = await startMailServer()
    onTestFinished(mailServer.close)
    const origin = await stage.server.startTwin({
      COUNTERSIGN_SMTP_URL: `smtp://127.0.0.1:${mailServer.port}`,
      COUNTERSIGN_SMTP_FROM: 'Example <no-reply@example.com>',
      ...env,
    })
    const page = await openApprover({ ...stage, server: { ...stage.server, origin } })
    /** Waits for the only mail. Returns the link of its text. */
    const linkOfMail = async (): Promise<string> => {
      await expect.poll(() => mailServer.received.length).toBe(1)
      return /^http:\S+$/m.exec(mailServer.received[0]?.text ?? '')?.[0] ?? ''
    }
    /** Asks for a code in the open section of the page. */
    const askFor = async (email: string): Promise<void> => {
      const section = page.locator('details[open]')
      await section.locator('input').fill(email)
      await section.getByRole('button').click()
    }
    return { page, origin, mailServer, linkOfMail, askFor }
  }

  it('the page asks for a code, sets a password by the link of the mail, and signs in on a phone that is not trusted yet', async () => {
    const { email } = await stage.server.createUser()
    const { page, linkOfMail, askFor } = await given()
    await page.getByText('I forgot my password').click()
    await expectAccessible(page)
    await askFor(email)
    await page.getByRole('status').getByText('If there is an account with this address').waitFor()
    const link = await linkOfMail()
    await page.goto(link)
    await page.getByText(`For \u2068${email.slice(0, 1)}…@${email.split('@')[1]}\u2069`).waitFor()
    await expectAccessible(page)
    await page.getByLabel('New password').fill('short')
    await button(page, 'Set the password').click()
    await page.getByRole('alert').getByText('Something that was entered is not accepted').waitFor()
    await page.getByLabel('New password').fill(newPassword)
    await button(page, 'Set the password').click()
    await page.getByText(`Signed in as \u2068${email}\u2069`).waitFor()
    await button(page, 'Use this phone').click()
    await page.getByRole('heading', { name: 'This phone is not trusted yet' }).waitFor()
  })

  it('the page says that a code was used, and leads back to where a person asks for another', async () => {
    const { email } = await stage.server.createUser()
    const { page, linkOfMail, askFor } = await given()
    await page.getByText('I forgot my password').click()
    await askFor(email)
    const link = await linkOfMail()
    await stage.server.change('lock', email)
    await page.goto(link)
    await page.getByRole('alert').getByText('This code is wrong, was used or has expired').waitFor()
    await expectAccessible(page)
    await button(page, 'Back').click()
    await page.getByRole('heading', { name: 'Sign in' }).waitFor()
  })

  it('the page says the same for an address without an account, in its own language', async () => {
    const { page, mailServer, askFor } = await given({ COUNTERSIGN_APPROVER_LANGUAGE: 'de' })
    await page.getByText('Ich habe mein Passwort vergessen').click()
    await askFor('nobody@example.test')
    const said = page.getByRole('status').getByText('Wenn es zu dieser Adresse ein Konto gibt')
    await said.waitFor()
    const { email } = await stage.server.createUser()
    await askFor(email)
    await said.waitFor()
    await expect.poll(() => mailServer.received.map(({ subject }) => subject)).toEqual(['Ihr Code für ein neues Passwort'])
  })

  it('the page says when a person may try again after too many attempts', async () => {
    const { page, askFor } = await given({ COUNTERSIGN_RATE_LIMITS: 'on', COUNTERSIGN_RATE_LIMIT_AUTHENTICATION: '1/1/60' })
    await page.getByText('I forgot my password').click()
    await askFor('nobody@example.test')
    await page.getByRole('status').getByText('If there is an account').waitFor()
    await askFor('nobody@example.test')
    await page
      .getByRole('alert')
      .getByText(/^Too many attempts\. Try again in \d+ seconds\.$/)
      .waitFor()
  })

  it('the screen of a code says when a person may try again after too many codes', async () => {
    const { page, origin } = await given({ COUNTERSIGN_RATE_LIMITS: 'on', COUNTERSIGN_RATE_LIMIT_AUTHENTICATION: '1/1/60' })
    await page.goto(`${origin}/approve/#/password/no-such-code`)
    const alert = page.getByRole('alert')
    // Wrong, or one too many already: the attempts of this address are counted in the database that all tests share.
    await alert.getByText(/^(This code is wrong|Too many attempts)/).waitFor()
    await button(page, 'Check again').click()
    await alert.getByText(/^Too many attempts\. Try again in \d+ seconds\.$/).waitFor()
  })

  it('a phone that is enrolled keeps its key when a person sets a new password on it', async () => {
    const { page, user } = await openPhone(stage)
    await page.goto(`${stage.server.origin}/approve/#/password/${await stage.server.resetCode(user.email)}`)
    await page.getByLabel('New password').fill(newPassword)
    await button(page, 'Set the password').click()
    await button(page, 'Continue').click()
    await page.getByText('Nothing waits for you').waitFor()
  })

  it('the page offers no code if the service delivers none', async () => {
    const page = await openApprover(stage)
    await page.getByText('I have a code for a new password').waitFor()
    expect(await page.getByText('I forgot my password').count()).toBe(0)
  })
})
