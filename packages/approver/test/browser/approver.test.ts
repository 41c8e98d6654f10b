import { createClient } from '@countersign/client-sdk'
import type { Page } from 'playwright-core'
import { expect, it } from 'vitest'
import { findLowContrast } from '../../../../tools/testing/browser/find-low-contrast.ts'
import { addAuthenticator } from '../../../../tools/testing/browser/virtual-authenticator.ts'
import { describeOnStage } from '../../../playground/test/browser/stage.ts'
import { subscriptionToken } from '../../../server/src/testing/browser-subscription.ts'
import { button, confirm, enrol, openApprover, openPhone, openRequest, refuse, signIn } from './approver-page.ts'

/** Waits until the page stops asking every few seconds, because it learns of requests as they happen. */
const untilLive = (page: Page): Promise<void> => {
  const isAsking = () =>
    page.waitForRequest('**/confirmation/pending', { timeout: 6000 }).then(
      () => true,
      () => false,
    )
  return expect.poll(isAsking, { timeout: 40_000 }).toBe(false)
}

const lease = { actionType: 'document_approval', actionPayload: { documentId: 'doc-7', documentName: 'Lease' } }

/** Answers the first approval in place of the service as if the connection were lost. Returns the bodies of all approvals. */
const loseFirstApproval = async (page: Page) => {
  const sent: unknown[] = []
  await page.route('**/verify', async (route) => {
    sent.push(route.request().postDataJSON())
    await (sent.length === 1 ? route.abort('internetdisconnected') : route.continue())
  })
  return sent
}

describeOnStage('the page at /approve/', (stage) => {
  /** Opens the page of a host whose passkeys approve, with an authenticator, after a sign-in by password. */
  const openForPasskey = async (env: Readonly<Record<string, string>> = {}, settings: object = {}) => {
    const user = await stage.server.createUser()
    const { page: address } = await stage.server.startStaticPage(
      { vapidPublicKey: 'BPub', passkeyApprovals: true, ...settings },
      { COUNTERSIGN_PASSKEY_APPROVALS: 'on', ...env },
    )
    const page = await openApprover(stage, undefined, address)
    const authenticator = await addAuthenticator(page)
    await signIn(page, user)
    return { user, address, page, authenticator }
  }

  it('the page sets a new password with a code of the administrator, and signs the person in', async () => {
    const { email } = await stage.server.createUser()
    const page = await openApprover(stage)
    await page.getByText('I have a code for a new password').click()
    await page.getByLabel('Code', { exact: true }).fill(await stage.server.resetCode(email))
    await button(page, 'Use the code').click()
    await page.getByText(/^For \u2068.…@/).waitFor()
    await page.getByLabel('New password').fill('another long password of mine')
    await button(page, 'Set the password').click()
    await button(page, 'Use this phone').click()
    await page.getByText('Nothing waits for you').waitFor()
  })

  it('the page signs the demo user in with one click', async () => {
    const { email, password } = await stage.server.createUser()
    const context = await stage.newContext()
    await context.route('**/approve/settings.json', (route) => route.fulfill({ json: { demoUser: { email, password } } }))
    const page = await openApprover(stage, context)
    await button(page, 'Sign in as the demo user').click()
    await page.getByText(`Signed in as \u2068${email}\u2069`).waitFor()
  })

  it('the page has an opaque icon for the home screen of an iPhone, or the icon of the manifest if the host has a logo', async () => {
    const icons = (page: Page) => page.locator('link[rel="apple-touch-icon"]')
    const page = await openApprover(stage)
    const address = new URL(String(await icons(page).getAttribute('href')), page.url())
    const png = Buffer.from(await (await fetch(address)).arrayBuffer())
    // The iPhone asks for 180 pixels, makes larger icons smaller, and shows black behind what is transparent.
    expect([png.toString('latin1', 1, 4), png.readUInt32BE(16), png.readUInt32BE(20)]).toEqual(['PNG', 512, 512])
    expect([png.readUInt8(25) & 4, png.includes('tRNS')]).toEqual([0, false])
    const context = await stage.newContext()
    await context.route('**/approve/settings.json', (route) => route.fulfill({ json: { logoUrl: 'icon.svg' } }))
    const other = await openApprover(stage, context)
    await button(other, 'Sign in with password').waitFor()
    expect(await icons(other).count()).toBe(0)
  })

  it('the page can be installed as a separate app next to an app at the root of the same host', async () => {
    const page = await openApprover(stage)
    const devTools = await page.context().newCDPSession(page)
    const { installabilityErrors } = await devTools.send('Page.getInstallabilityErrors')
    // The browser of a test keeps nothing, as a private window.
    expect(installabilityErrors.filter(({ errorId }) => errorId !== 'in-incognito')).toEqual([])
    const { errors, manifest } = await devTools.send('Page.getAppManifest')
    expect([errors, manifest.display, manifest.id]).toEqual([[], 'kStandalone', `${stage.server.origin}/approve/`])
  })

  it('the page asks the browser to keep the key when it enrols, and shows the inbox for a malformed link', async () => {
    const context = await stage.newContext()
    await context.addInitScript(() => {
      // The empty page before the first one has no storage.
      if (!isSecureContext) return
      StorageManager.prototype.persist = async () => Object.assign(globalThis, { isPersistent: true }).isPersistent
    })
    const page = await openApprover(stage, context, `${stage.server.origin}/approve/#/request/%E0%A4%A`)
    expect(await page.evaluate(() => 'isPersistent' in globalThis)).toBe(false)
    await enrol(page, await stage.server.createUser())
    await page.getByText('Nothing waits for you').waitFor()
    expect(await page.evaluate(() => 'isPersistent' in globalThis)).toBe(true)
    await page.evaluate(() => {
      location.hash = '/request/%'
    })
    await page.getByText('Nothing waits for you').waitFor()
  })

  it('the page says on an iPhone that only the installed page can show notifications', async () => {
    const context = await stage.newContext()
    await context.addInitScript(() => Object.defineProperty(navigator, 'standalone', { value: false }))
    await context.route('**/approve/settings.json', (route) => route.fulfill({ json: { vapidPublicKey: 'BPub' } }))
    const page = await openApprover(stage, context)
    await enrol(page, await stage.server.createUser())
    await page.getByRole('link', { name: 'Account' }).click()
    await page.getByText('install this page').waitFor()
    expect(await button(page, 'Notify this phone of requests').count()).toBe(0)
  })

  it('the page reports a new subscription and a new language to the service, each once', async () => {
    const { page: address } = await stage.server.startStaticPage({ vapidPublicKey: 'BPub' }, {})
    const context = await stage.newContext()
    await context.grantPermissions(['notifications'], { origin: new URL(address).origin })
    const subscriptions = ['first', 'second'].map((name) => subscriptionToken(`https://push.example.com/${name}`))
    await context.addInitScript(([first]) => {
      PushManager.prototype.subscribe = async () => {
        if (localStorage.getItem('formerKey') !== null) throw new DOMException('Subscribed with another key', 'InvalidStateError')
        const subscription = localStorage.getItem('subscription') ?? String(first)
        Object.assign(globalThis, { isSubscribed: true })
        return { toJSON: () => JSON.parse(subscription) } as PushSubscription
      }
      const unsubscribe = async () => localStorage.removeItem('formerKey') === undefined
      PushManager.prototype.getSubscription = async () => ({ unsubscribe }) as PushSubscription
    }, subscriptions)
    const page = await openApprover(stage, context, address)
    const told: unknown[] = []
    page.on('request', (request) => request.url().endsWith('/push-token') && told.push(request.postDataJSON()))
    const toldOf = (pushToken: string | undefined, language: string) => ({ pushToken, language, deviceId: expect.any(String) })
    const [first, second] = subscriptions
    const state = (text: string) => page.getByRole('main').getByRole('status').getByText(text).waitFor()
    await enrol(page, await stage.server.createUser())
    await page.getByRole('link', { name: 'Account' }).click()
    await state('This phone is not notified of requests')
    await button(page, 'Notify this phone of requests').click()
    await state('This phone is notified of requests')
    expect(await button(page, 'Notify this phone of requests').count()).toBe(0)
    // The service has another key, with which the browser must subscribe again.
    await page.evaluate((changed) => Object.assign(localStorage, { subscription: changed, formerKey: 'yes' }), second)
    await page.reload()
    await expect.poll(() => told).toEqual([toldOf(first, 'en'), toldOf(second, 'en')])
    await expect.poll(() => page.evaluate(() => localStorage.getItem('countersign-approver.phone'))).toContain('/second')
    // The subscription and the language have not changed since.
    await page.reload()
    await expect.poll(() => page.evaluate(() => 'isSubscribed' in globalThis)).toBe(true)
    await page.getByLabel('Language').selectOption('fr')
    await expect.poll(() => told).toEqual([toldOf(first, 'en'), toldOf(second, 'en'), toldOf(second, 'fr')])
    await button(page, 'Arrêter les notifications').click()
    await state('Ce téléphone n’est pas averti des demandes')
    await expect.poll(() => told[3]).toMatchObject({ pushToken: null })
  })

  it('the page shows a request at once by its live events, and polls rarely', async () => {
    const { page, ask } = await openPhone(stage)
    await untilLive(page)
    await ask()
    await page.getByText('1 request waits for you').waitFor({ timeout: 10_000 })
  })

  it('a request has buttons of the same size for both answers, neither focused, and is shown from its top', async () => {
    const { page, ask } = await openPhone(stage)
    for (const amount of ['1', '2', '3']) await ask({ actionPayload: { amount, currency: 'EUR', recipient: 'Ada' } })
    await page.getByText('3 requests wait for you').waitFor()
    await page.setViewportSize({ width: 390, height: 400 })
    await page.getByRole('main').getByRole('listitem').last().getByRole('link').click()
    await button(page, 'Reject').waitFor()
    expect(await page.evaluate(() => scrollY)).toBe(0)
    const [approve, reject] = await Promise.all(['Approve', 'Reject'].map((name) => button(page, name).boundingBox()))
    expect([approve?.width, approve?.height, approve?.y]).toEqual([reject?.width, reject?.height, reject?.y])
    expect(await page.evaluate(() => document.activeElement?.tagName)).toBe('H1')
  })

  it('a request is not answered when Enter is pressed in a field', async () => {
    const { page, ask } = await openPhone(stage)
    await ask()
    await openRequest(page)
    await button(page, 'Reject').click()
    await page.getByLabel('Reason (optional)').fill('I do not know')
    await page.keyboard.press('Enter')
    await confirm(page, 'Reject')
    await page.getByRole('heading', { name: 'Rejected' }).waitFor()
  })

  it('the page stores a key that no script can read, and its session survives a reload', async () => {
    const { page } = await openPhone(stage)
    const key = await page.evaluate(async () => {
      const opening = indexedDB.open('countersign')
      await new Promise((resolve) => opening.addEventListener('success', resolve))
      const reading = opening.result.transaction('device-keys').objectStore('device-keys').getAll()
      await new Promise((resolve) => reading.addEventListener('success', resolve))
      const [{ keyPair }] = reading.result as [{ readonly keyPair: CryptoKeyPair }]
      return { extractable: keyPair.privateKey.extractable, usages: keyPair.privateKey.usages }
    })
    expect(key).toEqual({ extractable: false, usages: ['sign'] })
    await page.reload()
    await page.getByText('Nothing waits for you').waitFor()
  })

  it('an approval needs the number that the other screen shows', async () => {
    const { page, ask } = await openPhone(stage)
    const { matchNumber } = await ask({ numberMatching: true })
    await openRequest(page)
    await button(page, 'Approve').click()
    await page.getByRole('alert').getByText('Type the two digits').waitFor()
    await page.getByLabel('Number on the screen that asks').fill(matchNumber === '00' ? '01' : '00')
    await button(page, 'Approve').click()
    await page.getByRole('alert').getByText('That is not the number').waitFor()
    await page.getByLabel('Number on the screen that asks').fill(String(matchNumber))
    await button(page, 'Approve').click()
    await page.getByRole('heading', { name: 'Approved' }).waitFor()
  })

  it('the page rejects with a reason, and can say that the person did not ask for the request', async () => {
    const { page, ask } = await openPhone(stage)
    await ask()
    await openRequest(page)
    const rejecting = page.waitForRequest('**/reject')
    await refuse(page, 'Reject', 'Not mine')
    expect((await rejecting).postDataJSON()).toEqual({ reason: 'Not mine' })
    await page.getByRole('heading', { name: 'Rejected' }).waitFor()
    await ask()
    await page.getByRole('link', { name: 'Next request' }).click()
    const disowning = page.waitForRequest('**/reject')
    await refuse(page, 'I did not ask for this', 'Never saw it')
    expect((await disowning).postDataJSON()).toEqual({ notMe: true, reason: 'Never saw it' })
    // No session had asked: the host did.
    await page.getByText('No session was ended').waitFor()
    await page.getByRole('link', { name: 'Change the password' }).click()
    await page.getByLabel('Current password').waitFor()
    await expect(page.getByLabel('Current password').isVisible()).resolves.toBe(true)
  })

  it('the page asks for the state if the response was lost, and does not send the answer again', async () => {
    const { page, ask } = await openPhone(stage)
    await ask()
    await openRequest(page)
    let sent = 0
    await page.route('**/verify', async (route) => {
      sent += 1
      await route.fetch()
      await route.abort('internetdisconnected')
    })
    await button(page, 'Approve').click()
    await page.getByRole('heading', { name: 'Approved' }).waitFor()
    expect(sent).toBe(1)
  })

  it('the page says that an answer did not arrive, and sends the same signature when the person tries again', async () => {
    const { page, ask } = await openPhone(stage)
    await ask()
    await openRequest(page)
    const sent = await loseFirstApproval(page)
    await button(page, 'Approve').click()
    await page.getByRole('alert').getByText('Your answer did not arrive').waitFor()
    await button(page, 'Approve').click()
    await page.getByRole('heading', { name: 'Approved' }).waitFor()
    expect(sent).toEqual([{ deviceId: expect.any(String), signedChallenge: expect.any(String) }, sent[0]])
  })

  it('the page sends the same signature of a passkey when the person tries again, without a prompt', async () => {
    const { user, page, authenticator } = await openForPasskey()
    await button(page, 'Approve with a passkey instead').click()
    await page.getByText('Nothing waits for you').waitFor()
    await stage.server.ask(user.id, lease)
    await openRequest(page)
    const sent = await loseFirstApproval(page)
    await button(page, 'Approve').click()
    await page.getByRole('alert').getByText('Your answer did not arrive').waitFor()
    // The authenticator counts its signatures.
    const before = await authenticator.credentials()
    await button(page, 'Approve').click()
    await page.getByRole('heading', { name: 'Approved' }).waitFor()
    expect(sent).toEqual([expect.objectContaining({ signature: expect.any(String) }), sent[0]])
    expect(await authenticator.credentials()).toEqual(before)
  })

  it('the page makes a passkey with the key of the phone and approves by the passkey, where the service asks for the person', async () => {
    const { user, page, authenticator } = await openForPasskey(
      { COUNTERSIGN_APPROVER_VERIFICATION: 'always' },
      { verification: 'always' },
    )
    await button(page, 'Use this phone').click()
    await page.getByText('Nothing waits for you').waitFor()
    expect(await authenticator.credentials()).toHaveLength(1)
    await stage.server.ask(user.id, lease)
    await openRequest(page)
    const sent: unknown[] = []
    page.on('request', (request) => request.url().endsWith('/verify') && sent.push(request.postDataJSON()))
    await button(page, 'Approve').click()
    await page.getByRole('heading', { name: 'Approved' }).waitFor()
    expect(sent).toEqual([expect.objectContaining({ credentialId: expect.any(String) })])
  })

  it('the page asks the passkey for a new signature after the service has refused an older one', async () => {
    const { user, page } = await openForPasskey()
    await button(page, 'Approve with a passkey instead').click()
    await page.getByText('Nothing waits for you').waitFor()
    await stage.server.ask(user.id, lease)
    await stage.server.ask(user.id, lease)
    await page.getByText('2 requests wait for you').waitFor()
    await openRequest(page)
    const sent = await loseFirstApproval(page)
    await button(page, 'Approve').click()
    await page.getByRole('alert').getByText('Your answer did not arrive').waitFor()
    await page.getByRole('link', { name: 'Back' }).click()
    await page.getByRole('main').getByRole('listitem').last().getByRole('link').click()
    await button(page, 'Approve').click()
    await page.getByRole('link', { name: 'Next request' }).click()
    await button(page, 'Approve').click()
    await page.getByRole('alert').getByText('That did not work').waitFor()
    await button(page, 'Approve').click()
    await page.getByRole('heading', { name: 'Approved' }).waitFor()
    expect(sent[2]).toEqual(sent[0])
    expect(sent[3]).not.toEqual(sent[0])
  })

  it('the page refuses to sign a request that was changed on its way', async () => {
    const { page, ask } = await openPhone(stage)
    await page.route('**/confirmation/pending', async (route) => {
      const response = await route.fetch()
      const text = (await response.text()).replaceAll('1,250.50', '1.50')
      await route.fulfill({ response, body: text })
    })
    await ask()
    await openRequest(page)
    await button(page, 'Approve').click()
    await page.getByRole('alert').getByText('Nothing was signed').waitFor()
  })

  it('the account screen removes a passkey, ends one other session, and then all others', async () => {
    const user = await stage.server.createUser()
    const page = await openApprover(stage)
    await addAuthenticator(page)
    // The session with the password ends when the phone is enrolled.
    const left = page.waitForResponse('**/logout')
    await enrol(page, user)
    await left
    const others = [1, 2, 3].map(() => createClient({ baseUrl: stage.server.origin }))
    for (const other of others) await other.auth.login(user)
    const signedIn = async () => {
      const answers = await Promise.allSettled(others.map((other) => other.devices.list()))
      return answers.filter(({ status }) => status === 'fulfilled').length
    }
    await page.getByRole('link', { name: 'Account' }).click()
    await button(page, 'Add a passkey').click()
    await page.getByRole('status').getByText('is added').waitFor()
    await page.getByRole('button', { name: /^Remove/ }).click()
    await confirm(page, 'Remove')
    await page.getByRole('status').getByText('is removed').waitFor()
    await page.getByText('No passkeys.').waitFor()
    const ends = page.getByRole('button', { name: /^End: / })
    expect(await ends.count()).toBe(3)
    // The programs of these sessions are no browsers, and nobody knows their names.
    expect(
      await page
        .locator('.title')
        .filter({ hasText: /^Signed in: / })
        .count(),
    ).toBe(3)
    await ends.first().click()
    await confirm(page, 'End')
    await expect.poll(() => ends.count()).toBe(2)
    expect(await signedIn()).toBe(2)
    await button(page, 'End all other sessions').click()
    await confirm(page, 'End all other sessions')
    await expect.poll(() => ends.count()).toBe(0)
    expect(await signedIn()).toBe(0)
    expect(await page.getByText('this session', { exact: true }).count()).toBe(1)
  })

  it('the page says that the browser forbids notifications, and ends its subscription when the person stops them', async () => {
    const context = await stage.newContext()
    await context.route('**/approve/settings.json', (route) => route.fulfill({ json: { vapidPublicKey: 'BPub' } }))
    // Replaces the subscription, so that the browser calls no push service.
    await context.addInitScript(() => {
      const subscription = {
        endpoint: 'https://push.example/1',
        unsubscribe: async () => Object.assign(globalThis, { unsubscribed: true }),
      }
      PushManager.prototype.subscribe = async () => subscription as never
      PushManager.prototype.getSubscription = async () => subscription as never
    })
    const page = await openApprover(stage, context)
    await enrol(page, await stage.server.createUser())
    await page.getByRole('link', { name: 'Account' }).click()
    const sent: unknown[] = []
    await page.route('**/push-token', (route) => {
      sent.push((route.request().postDataJSON() as { readonly pushToken: unknown }).pushToken)
      return route.continue()
    })
    await button(page, 'Notify this phone of requests').click()
    await page.getByRole('alert').getByText('The browser does not allow notifications').waitFor()
    await context.grantPermissions(['notifications'], { origin: stage.server.origin })
    await button(page, 'Notify this phone of requests').click()
    await page.getByRole('status').getByText('This phone is notified of requests').waitFor()
    await button(page, 'Stop the notifications').click()
    await page.getByRole('status').getByText('This phone is not notified of requests').waitFor()
    expect(sent).toEqual([expect.stringContaining('https://push.example/1'), null])
    await expect.poll(() => page.evaluate('globalThis.unsubscribed')).toBe(true)
  })

  it.each([
    // The middle: white text is easier to read on the first grey, black text on the second one.
    ['#757575', 'rgb(117, 117, 117)', 'rgb(255, 255, 255)'],
    ['#767676', 'rgb(118, 118, 118)', 'rgb(0, 0, 0)'],
    ['#FFCC00', 'rgb(255, 204, 0)', 'rgb(0, 0, 0)'],
  ])(
    'has the name, the logo and the language of its host, and readable buttons in its colour %s',
    async (color, ground, text) => {
      const context = await stage.newContext()
      const json = { name: 'Example Bank', color, logoUrl: 'icon.svg', language: 'de' }
      await context.route('**/approve/settings.json', (route) => route.fulfill({ json }))
      const page = await openApprover(stage, context)
      await page.getByRole('heading', { name: 'Anmelden' }).waitFor()
      expect(await page.evaluate(() => document.documentElement.lang)).toBe('de')
      expect(await page.evaluate(() => navigator.language)).not.toMatch(/^de/)
      const look = button(page, 'Mit Passwort anmelden').evaluate((main) => {
        const { backgroundColor, color: ink } = getComputedStyle(main)
        return [backgroundColor, ink]
      })
      expect(await look).toEqual([ground, text])
      expect(await findLowContrast(page, 'form')).toMatchObject({ low: [], unknown: [] })
      const header = page.getByRole('banner')
      expect(await header.textContent()).toBe('Example Bank')
      const width = header.locator('img').evaluate((logo: HTMLImageElement) => logo.decode().then(() => logo.naturalWidth))
      expect(await width).toBeGreaterThan(0)
    },
  )

  it('the page says that a receipt is not genuine', async () => {
    const { page, ask } = await openPhone(stage)
    await ask()
    await openRequest(page)
    await page.route('**/receipt', async (route) => {
      const response = await route.fetch()
      const text = await response.text()
      await route.fulfill({ response, body: text.replace(/.(?=[^.]*\.[^.]*$)/, (one) => (one === 'A' ? 'B' : 'A')) })
    })
    await button(page, 'Approve').click()
    await page.getByRole('link', { name: 'See the receipt' }).click()
    await page.getByText('Not genuine', { exact: true }).waitFor()
  })

  it('the page signs in with a passkey, and enrols the phone if passkeys cannot approve at the service', async () => {
    const { page } = await openPhone(stage)
    const authenticator = await addAuthenticator(page)
    await page.getByRole('link', { name: 'Account' }).click()
    await authenticator.setUserVerified(false)
    await button(page, 'Add a passkey').click()
    await page.getByRole('alert').getByText('Nothing was signed').waitFor()
    await authenticator.setUserVerified(true)
    await button(page, 'Add a passkey').click()
    await page.getByRole('status').getByText('is added').waitFor()
    await page.getByText('Stop using this phone').first().click()
    await button(page, 'Stop using this phone').click()
    await button(page, 'Sign in with a passkey').click()
    await button(page, 'Use this phone').waitFor()
    expect(await button(page, 'Approve with a passkey instead').count()).toBe(0)
    await button(page, 'Use this phone').click()
    await page.getByRole('heading', { name: /^(?:Inbox|This phone is not trusted yet)$/ }).waitFor()
  })

  it('the page offers passkeys for approvals only if the settings of its server say so', async () => {
    const offers = async (address: string, settings?: object) => {
      const context = await stage.newContext()
      if (settings !== undefined) await context.route('**/settings.json', (route) => route.fulfill({ json: settings }))
      const page = await openApprover(stage, context, address)
      await signIn(page, await stage.server.createUser())
      return button(page, 'Approve with a passkey instead').count()
    }
    const server = `${await stage.server.startTwin({ COUNTERSIGN_PASSKEY_APPROVALS: 'on' })}/approve/`
    expect([await offers(server), await offers(server, {}), await offers(`${stage.server.origin}/approve/`)]).toEqual([1, 0, 0])
  })

  it('the page shows the number of a new passkey on probation, and its inbox after a phone has vouched for it', async () => {
    const { user, address, page } = await openForPasskey({ COUNTERSIGN_ENROLMENT: 'vouched' })
    const trusted = await openApprover(stage, undefined, address)
    await enrol(trusted, user)
    await trusted.getByText('Nothing waits for you').waitFor()
    await button(page, 'Approve with a passkey instead').click()
    await page.getByRole('heading', { name: 'This phone is not trusted yet' }).waitFor()
    const number = (await page.locator('.number').textContent()) ?? ''
    await openRequest(trusted)
    await trusted.getByLabel('Number on the screen that asks').fill(number)
    await button(trusted, 'Approve').click()
    await trusted.getByRole('heading', { name: 'Approved' }).waitFor()
    await page.getByText('Nothing waits for you').waitFor()
  })

  it('a new passkey takes the place of the passkey on probation by a code of the administrator', async () => {
    const { user, address, page, authenticator } = await openForPasskey({ COUNTERSIGN_ENROLMENT: 'vouched' })
    const trusted = await openApprover(stage, undefined, address)
    await enrol(trusted, user)
    await trusted.getByText('Nothing waits for you').waitFor()
    await button(page, 'Approve with a passkey instead').click()
    await page.getByText('I have a code').click()
    await page.getByLabel('Code', { exact: true }).fill(await stage.server.enrolmentCode(user.email))
    await button(page, 'Use the code').click()
    await page.getByText('Nothing waits for you').waitFor()
    expect(await authenticator.credentials()).toHaveLength(1)
    await page.getByRole('link', { name: 'Account' }).click()
    await page.getByText('this session', { exact: true }).waitFor()
    expect(await page.getByText('not trusted yet').count()).toBe(0)
  })

  it('a phone without a key of its own is notified by its passkey, until the person stops using the phone', async () => {
    const { page, address } = await openForPasskey()
    await button(page, 'Approve with a passkey instead').click()
    await page.getByText('Nothing waits for you').waitFor()
    await page.context().grantPermissions(['notifications'], { origin: new URL(address).origin })
    await page.addInitScript((subscription) => {
      PushManager.prototype.subscribe = async () => ({ toJSON: () => JSON.parse(subscription) }) as PushSubscription
    }, subscriptionToken('https://push.example.com/mine'))
    await page.reload()
    const answered = async () => {
      const response = await page.waitForResponse('**/push-token')
      return [response.status(), response.request().postDataJSON()] as const
    }
    const switched = answered()
    await button(page, 'Notify this phone of requests').click()
    expect(await switched).toEqual([200, { pushToken: expect.stringContaining('/mine'), language: 'en' }])
    await page.getByText('Never miss a request').waitFor({ state: 'detached' })
    await page.getByRole('link', { name: 'Account' }).click()
    await page.getByRole('status').getByText('This phone is notified of requests').waitFor()
    const removed = answered()
    await page.getByText('Stop using this phone').first().click()
    await button(page, 'Stop using this phone').click()
    expect(await removed).toEqual([200, { pushToken: null }])
    await page.getByRole('heading', { name: 'Sign in' }).waitFor()
  })

  it('the page makes a new passkey trusted with a code, or continues with an existing passkey of the person', async () => {
    const { user, address, page, authenticator } = await openForPasskey({ COUNTERSIGN_ENROLMENT: 'vouched' })
    const trusted = await openApprover(stage, undefined, address)
    await enrol(trusted, user)
    await trusted.getByText('Nothing waits for you').waitFor()
    await page.getByLabel('Code from your administrator').fill(await stage.server.enrolmentCode(user.email))
    await button(page, 'Approve with a passkey instead').click()
    await page.getByText('Nothing waits for you').waitFor()
    await page.getByRole('link', { name: 'Account' }).click()
    await page.getByText('Stop using this phone').first().click()
    await button(page, 'Stop using this phone').click()
    await signIn(page, user)
    await button(page, 'Approve with a passkey instead').click()
    await page.getByText('Nothing waits for you').waitFor()
    expect(await authenticator.credentials()).toHaveLength(1)
  })
})
