import { createTestUser, testPassword } from '@countersign/core/testing'
import type { Page } from 'playwright-core'
import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest'
import { describeInBrowser } from '../../../../tools/testing/browser/open-browser.ts'
import { addAuthenticator, type VirtualAuthenticator } from '../../../../tools/testing/browser/virtual-authenticator.ts'
import { type ClientPages, openClientPages } from './client-pages.ts'

describeInBrowser('passkeys', () => {
  let pages: ClientPages
  let page: Page
  let authenticator: VirtualAuthenticator
  let login: { email: string; password: string }
  beforeAll(async () => {
    pages = await openClientPages({ rateLimits: 'off', passkeyApprovals: true })
  })
  afterAll(() => pages?.close())

  beforeEach(async () => {
    page = await pages.openTab()
    authenticator = await addAuthenticator(page)
    const { email } = await createTestUser(pages.test)
    login = { email, password: testPassword }
    await page.evaluate(async (given) => {
      const { credentials } = navigator
      const get = credentials.get.bind(credentials)
      globalThis.prompts = 0
      credentials.get = (options) => {
        const prompt = get(options)
        globalThis.prompts += 1
        return prompt
      }
      globalThis.client = sdk.createClient({ baseUrl: location.origin })
      await client.auth.login(given)
    }, login)
  })

  const create = (name?: string) =>
    page.evaluate(async (given) => (await client.passkeys.create(given === undefined ? {} : { name: given })).credential, name)

  /** Returns the outcome of a call: its error with the browser's error as the cause, or no error. */
  const outcomeOf = (run: 'create' | 'login' | 'autofill') =>
    page.evaluate(async (what) => {
      const call = what === 'create' ? client.passkeys.create() : client.passkeys.login({ autofill: what === 'autofill' })
      const error = await call.then(
        () => undefined,
        (thrown: unknown) => thrown as Error,
      )
      if (error === undefined) return 'done'
      return error instanceof sdk.CountersignError ? `${error.code}: ${(error.cause as Error).name}` : error.name
    }, run)

  /** Returns how the user logged in. */
  const whoami = () =>
    page.evaluate(async () => {
      const { claims } = await client.internal.introspect({ serviceName: 'billing' })
      return claims.email
    })

  it('are created, listed, named and removed', async () => {
    const made = await create('Work laptop')
    expect(made).toMatchObject({ name: 'Work laptop' })
    expect(await authenticator.credentials()).toHaveLength(1)
    const [listed, left] = await page.evaluate(async () => {
      const { credentials } = await client.passkeys.list()
      for (const { id: credentialId } of credentials) await client.passkeys.remove({ credentialId })
      return [credentials, (await client.passkeys.list()).credentials]
    })
    expect(listed).toMatchObject([{ id: made.id, name: 'Work laptop' }])
    expect(left).toEqual([])
  })

  it('sign in, with and without an email', async () => {
    await create()
    await page.evaluate(() => client.auth.logout())
    await page.evaluate(() => client.passkeys.login())
    expect(await whoami()).toBe(login.email)
    await page.evaluate((email) => client.passkeys.login({ email, rememberMe: true }), login.email)
    expect(await whoami()).toBe(login.email)
  })

  it('sign in from the autofill list', async () => {
    await create()
    await page.evaluate(() => client.auth.logout())
    expect(await outcomeOf('autofill')).toBe('done')
    expect(await whoami()).toBe(login.email)
  })

  /** Returns how often the page has asked its browser for a passkey. */
  const prompts = () => page.evaluate(() => globalThis.prompts)
  const begun = () => pages.requests.filter((line) => line.endsWith('/webauthn/login/begin')).length

  it('are offered in the autofill list while the page is open, always with a valid challenge', async () => {
    await create()
    await page.evaluate(() => client.auth.logout())
    await authenticator.setPresent(false)
    await page.clock.install()
    pages.requests.length = 0
    const waiting = outcomeOf('autofill')
    for (let round = 1; round <= 3; round += 1) {
      await expect.poll(begun).toBe(round)
      // The time limit of the challenge begins with the prompt.
      await expect.poll(prompts).toBe(round)
      // The person now picks a passkey, for the newest challenge.
      await authenticator.setPresent(round === 3)
      await page.clock.fastForward(108_001)
      pages.test.clock.advance(108_001)
    }
    expect(await waiting).toBe('done')
    expect(begun()).toBe(4)
    expect(await whoami()).toBe(login.email)
  })

  it('are no longer offered in the autofill list after a click on the button', async () => {
    await create()
    await page.evaluate(() => client.auth.logout())
    await authenticator.setPresent(false)
    pages.requests.length = 0
    const waiting = outcomeOf('autofill')
    await expect.poll(begun).toBe(1)
    await expect.poll(prompts).toBe(1)
    // The authenticator must be touched before the prompt of the button: it does not notice a touch that begins later.
    const { promise: touched, resolve: touch } = Promise.withResolvers<void>()
    await page.route('**/webauthn/login/begin', async (route) => {
      await touched
      await route.continue()
    })
    const button = outcomeOf('login')
    expect(await waiting).toBe('AbortError')
    await authenticator.setPresent(true)
    touch()
    expect(await button).toBe('done')
  })

  it('are not created twice for one account by one authenticator', async () => {
    await create()
    expect(await outcomeOf('create')).toBe('PASSKEY_FAILED: InvalidStateError')
  })

  it('are not created if the authenticator does not verify the person', async () => {
    await create()
    await page.evaluate(() => client.auth.logout())
    await authenticator.setUserVerified(false)
    const refused = await page.evaluate(async () =>
      client.passkeys.login({ userVerification: 'required' }).catch((error: { code: string }) => error.code),
    )
    expect(refused).toBe('PASSKEY_FAILED')
  })

  it('approve a request with a genuine receipt, and sign nothing for a person who is not verified or an action that was changed', async () => {
    await create()
    await page.evaluate(async () => {
      for (const amount of [10, 20]) {
        const actionPayload = { amount, currency: 'EUR', recipient: 'Ada' }
        await client.confirmations.request({ actionType: 'payment_approval', actionPayload })
      }
      await client.passkeys.login()
    })
    const promptsOfLogin = await prompts()
    const approve = (amount: number, shown = amount) =>
      page.evaluate(
        async ([signed, said]) => {
          const { confirmations } = await client.confirmations.pending()
          const waiting = confirmations.find(({ actionPayload }) => actionPayload['amount'] === signed)
          if (waiting === undefined) return 'nothing waits'
          const confirmation = { ...waiting, actionPayload: { ...waiting.actionPayload, amount: said } } as typeof waiting
          return sdk.approveWithPasskey(client, confirmation).then(
            async ({ confirmationId }) => {
              const { receipt } = await client.confirmations.receipt({ confirmationId })
              const keys = await client.receipts.keys()
              const verified = await sdk.receipts.verifyReceipt(receipt, { keys })
              return verified.verdict === 'refused' ? verified : { verdict: verified.verdict, kind: verified.device.kind }
            },
            (error: { code: string }) => error.code,
          )
        },
        [amount, shown] as const,
      )
    expect(await approve(10, 11)).toBe('CHALLENGE_MISMATCH')
    expect(await prompts()).toBe(promptsOfLogin)
    expect(await approve(10)).toEqual({ verdict: 'genuine', kind: 'passkey' })
    await authenticator.setUserVerified(false)
    expect(await approve(20)).toBe('PASSKEY_FAILED')
    await authenticator.setUserVerified(true)
    expect(await approve(10)).toBe('nothing waits')
    expect(await approve(20)).toEqual({ verdict: 'genuine', kind: 'passkey' })
  })

  it('cancel their prompt when the signal of the caller aborts', async () => {
    await authenticator.setPresent(false)
    const name = await page.evaluate(async () => {
      const controller = new AbortController()
      const call = client.passkeys.login({}, { signal: controller.signal }).catch((error: Error) => error.message)
      setTimeout(() => controller.abort(new Error('the page was left')), 200)
      return call
    })
    expect(name).toBe('the page was left')
  })
})
