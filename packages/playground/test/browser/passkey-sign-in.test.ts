import type { Page } from 'playwright-core'
import { expect, it } from 'vitest'
import { addAuthenticator } from '../../../../tools/testing/browser/virtual-authenticator.ts'
import { changeCall } from './change-call.ts'
import { askForPasskey, createPasskey, type Playground, signInWithPassword, signOut, storedPasskeys } from './playground.ts'
import { describeOnStage } from './stage.ts'

interface LoginChallenge {
  readonly publicKey: { timeout: number; userVerification: string }
}

const nothingSigned = /^Nothing was signed/

/** Signs out, with a passkey on the authenticator. */
const withPasskey = async (here: Playground, user: Parameters<typeof signInWithPassword>[1]): Promise<void> => {
  await signInWithPassword(here, user)
  await createPasskey(here, { keep: 'required' })
  await signOut(here.web)
}

/** Makes the page record its passkey requests to the browser. */
const noteOffers = (page: Page): Promise<void> =>
  page.evaluate(() => {
    const { credentials } = navigator
    const get = credentials.get.bind(credentials)
    credentials.get = (options) => {
      document.body.dataset.asked = options?.mediation ?? 'dialog'
      return get(options)
    }
  })

/** Resolves when the browser offers passkeys in a text field. */
const untilOffered = async (page: Page): Promise<void> => {
  await page.locator('body[data-asked=conditional]').waitFor()
  // The same browser component handles this query after the offer, so its answer shows that the offer is active.
  await page.evaluate(() => PublicKeyCredential.isConditionalMediationAvailable())
}

describeOnStage('signing in with a passkey', (stage) => {
  it('needs no e-mail when the authenticator stores the passkey', async () => {
    const here = await stage.openWith({})
    const user = await stage.server.createUser()
    await withPasskey(here, user)
    await here.web.button('Sign in with a passkey').click()
    await expect.poll(here.web.signedIn).toBe('Signed in with a passkey')
    expect(await here.web.region.getByText(user.email).count()).toBeGreaterThan(0)
  })

  it('works through autofill in the e-mail field, without a button', async () => {
    const here = await stage.openWith({})
    await withPasskey(here, await stage.server.createUser())
    expect(await here.web.field('E-mail').getAttribute('autocomplete')).toBe('username webauthn')
    // A virtual authenticator accepts every offer immediately.
    await here.web.field('Offer passkeys while typing').click()
    await expect.poll(here.web.done).toBe('Signed in with a passkey.')
    expect(await here.web.signedIn()).toBe('Signed in with a passkey')
  })

  it('is offered in the e-mail field as soon as the page is open, without blocking any button', async () => {
    const here = await stage.openWith({})
    await withPasskey(here, await stage.server.createUser())
    await here.page.reload()
    await expect.poll(here.web.signedIn).toBe('Signed in with a passkey')

    await here.authenticator.setPresent(false)
    await noteOffers(here.page)
    await signOut(here.web)
    await untilOffered(here.page)
    await here.authenticator.setPresent(true)
    await here.web.button('Sign in with a passkey').click()
    await expect.poll(here.web.signedIn).toBe('Signed in with a passkey')
  })

  it('is refused with an explanation when the service does not know the passkey, and the password still works', async () => {
    const here = await stage.openWith({})
    const user = await stage.server.createUser()
    await signInWithPassword(here, user)
    await createPasskey(here, { keep: 'required' })
    await here.web.region.getByRole('button', { name: /^Delete passkey / }).click()
    await expect.poll(here.web.done).toMatch(/deleted/)
    await signOut(here.web)

    await here.web.button('Sign in with a passkey').click()
    await expect.poll(here.web.failed).toBe('Invalid passkey (401).')
    await signInWithPassword(here, user)
  })

  it('fails with an explanation for an e-mail without passkeys, known or not', async () => {
    const here = await stage.openWith({})
    const user = await stage.server.createUser()
    await changeCall<LoginChallenge>(here.page, 'webauthn/login/begin', {
      answer: ({ publicKey }) => {
        publicKey.timeout = 500
      },
    })
    for (const email of [user.email, 'nobody@example.test']) {
      await here.web.field('E-mail').fill(email)
      const began = here.page.waitForResponse('**/webauthn/login/begin')
      await Promise.all([began, here.web.button('Use a security key').click()])
      await expect.poll(here.web.failed).toMatch(nothingSigned)
      expect(await here.web.signedIn()).toBe('')
    }
  })

  it('fails with an explanation when nobody touches the authenticator in time, and the page stays usable', async () => {
    const here = await stage.openWith({})
    await withPasskey(here, await stage.server.createUser())
    await here.authenticator.setPresent(false)
    await changeCall<LoginChallenge>(here.page, 'webauthn/login/begin', {
      answer: ({ publicKey }) => {
        publicKey.timeout = 500
      },
    })
    await here.web.button('Sign in with a passkey').click()
    await expect.poll(here.web.failed).toMatch(nothingSigned)
    await here.authenticator.setPresent(true)
    await here.web.button('Sign in with a passkey').click()
    await expect.poll(here.web.signedIn).toBe('Signed in with a passkey')
  })

  it('is refused for a page of another origin, even if the browser allows it', async () => {
    const here = await stage.openWith({})
    const user = await stage.server.createUser()
    await withPasskey(here, user)
    const [credential] = await here.authenticator.credentials()
    if (credential === undefined) throw new Error('there is no passkey to copy')

    // Another port is another origin of the same domain, so the browser allows the passkey.
    const elsewhere = await stage.openWith({}, { origin: await stage.server.startTwin() })
    await elsewhere.authenticator.addCredential(credential)
    await elsewhere.page
      .getByRole('note')
      .getByRole('link', { name: `${stage.server.origin}/playground` })
      .waitFor()
    await elsewhere.web.button('Sign in with a passkey').click()
    await expect.poll(elsewhere.web.failed).toBe('Invalid passkey (401).')
    expect(await elsewhere.web.signedIn()).toBe('')
    expect(stage.server.logged()).toContainEqual(expect.objectContaining({ event: 'passkey_refused', reason: 'origin' }))

    await signInWithPassword(elsewhere, user)
    await elsewhere.authenticator.remove()
    await addAuthenticator(elsewhere.page)
    await askForPasskey(elsewhere)
    await expect.poll(elsewhere.web.failed).toBe('Invalid passkey (401).')
    expect(await storedPasskeys(elsewhere)).toHaveLength(1)
  })

  it('is refused if the service requires user verification and the page does not ask for it', async () => {
    const here = await stage.openWith({ transport: 'usb', userVerification: false, residentKeys: false })
    const user = await stage.server.createUser()
    await signInWithPassword(here, user)
    await createPasskey(here)
    await signOut(here.web)
    await here.web.field('E-mail').fill(user.email)

    const body = { email: user.email, userVerification: 'required' }
    await changeCall<LoginChallenge>(here.page, 'webauthn/login/begin', { body })
    await here.web.button('Use a security key').click()
    await expect.poll(here.web.failed).toMatch(nothingSigned)

    const answer = ({ publicKey }: LoginChallenge): void => {
      publicKey.userVerification = 'discouraged'
    }
    await changeCall(here.page, 'webauthn/login/begin', { body, answer })
    await here.web.button('Use a security key').click()
    await expect.poll(here.web.failed).toBe('Invalid passkey (401).')
  })
})
