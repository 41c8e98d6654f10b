import { expect, it } from 'vitest'
import { keepScreenshots } from '../../../../tools/testing/browser/screenshots.ts'
import { addAuthenticator } from '../../../../tools/testing/browser/virtual-authenticator.ts'
import { changeCall } from './change-call.ts'
import { askForPasskey, createPasskey, listedPasskeys, signInWithPassword, signOut, storedPasskeys } from './playground.ts'
import { describeOnStage } from './stage.ts'

/** The service's requirements for an authenticator, which a malicious page could weaken. */
interface CreationChallenge {
  readonly publicKey: { timeout: number; readonly authenticatorSelection: { userVerification: string } }
}

const nothingSigned = /^Nothing was signed/

describeOnStage('a passkey', (stage) => {
  it('is created by an authenticator that verifies its user and stores it, and signs the user in', async () => {
    const here = await stage.openWith({})
    await signInWithPassword(here, await stage.server.createUser())
    await createPasskey(here, { keep: 'required', verify: 'required' })
    expect(await listedPasskeys(here)).toHaveLength(1)
    const [credential] = await here.authenticator.credentials()
    expect(credential).toMatchObject({ rpId: 'localhost', isResidentCredential: true })
    await keepScreenshots(here.page, 'passkey-created')

    await signOut(here.web)
    await here.web.button('Sign in with a passkey').click()
    await expect.poll(here.web.done).toBe('Signed in with a passkey.')
    expect(await here.web.signedIn()).toBe('Signed in with a passkey')
  })

  // Chromium 156 creates no passkey, stored or not, if the page wants it stored and the authenticator cannot verify the user.
  it.each([
    { kind: 'verifies nobody', authenticator: { userVerification: false }, keep: 'discouraged' },
    { kind: 'keeps nothing', authenticator: { residentKeys: false }, keep: 'preferred' },
    { kind: 'neither verifies nor keeps', authenticator: { userVerification: false, residentKeys: false }, keep: 'preferred' },
  ] as const)('is created by one that $kind, and signs in a user who enters their e-mail', async ({ authenticator, keep }) => {
    const here = await stage.openWith({ transport: 'usb', ...authenticator })
    const user = await stage.server.createUser()
    await signInWithPassword(here, user)
    await createPasskey(here, { keep })
    expect(await here.authenticator.credentials()).toMatchObject([{ isResidentCredential: false }])

    await signOut(here.web)
    await here.web.field('E-mail').fill(user.email)
    await here.web.button('Use a security key').click()
    await expect.poll(here.web.done).toBe('Signed in with a passkey.')
  })

  it('is not created when user verification is required but fails, and the page stays usable', async () => {
    const here = await stage.openWith({})
    await signInWithPassword(here, await stage.server.createUser())
    await here.authenticator.setUserVerified(false)
    await askForPasskey(here, { verify: 'required' })
    await expect.poll(here.web.failed).toMatch(nothingSigned)

    await here.authenticator.setUserVerified(true)
    await createPasskey(here, { verify: 'required' })
    expect(await listedPasskeys(here)).toHaveLength(1)
  })

  it('is refused by the service when the page requires less of the authenticator than the service', async () => {
    const here = await stage.openWith({ transport: 'usb', userVerification: false, residentKeys: false })
    await signInWithPassword(here, await stage.server.createUser())
    await changeCall<CreationChallenge>(here.page, 'webauthn/register/begin', {
      answer: ({ publicKey }) => {
        publicKey.authenticatorSelection.userVerification = 'discouraged'
      },
    })
    await askForPasskey(here, { verify: 'required' })
    await expect.poll(here.web.failed).toBe('Invalid passkey (401).')
    expect(await storedPasskeys(here)).toEqual([])
    expect(await here.web.signedIn()).toBe('Signed in with a password')
  })

  it('can exist on each authenticator of a user, and each signs in', async () => {
    const here = await stage.openWith({})
    const key = await addAuthenticator(here.page, { transport: 'usb' })
    const user = await stage.server.createUser()
    await signInWithPassword(here, user)
    for (const [present, absent] of [
      [here.authenticator, key],
      [key, here.authenticator],
    ] as const) {
      await present.setPresent(true)
      await absent.setPresent(false)
      await createPasskey(here, { keep: 'required' })
    }
    expect(await listedPasskeys(here)).toHaveLength(2)

    for (const [present, absent] of [
      [here.authenticator, key],
      [key, here.authenticator],
    ] as const) {
      await present.setPresent(true)
      await absent.setPresent(false)
      await signOut(here.web)
      await here.web.button('Sign in with a passkey').click()
      await expect.poll(here.web.signedIn).toBe('Signed in with a passkey')
    }
    const counts = await Promise.all([here.authenticator, key].map(async (one) => (await one.credentials())[0]?.signCount))
    expect(counts).toEqual([2, 2])
  })

  it('is not created twice on one authenticator', async () => {
    const here = await stage.openWith({})
    await signInWithPassword(here, await stage.server.createUser())
    await createPasskey(here)
    await askForPasskey(here)
    await expect.poll(here.web.failed).toBe('This authenticator holds a passkey of this account already.')
    expect(await listedPasskeys(here)).toHaveLength(1)
    expect(await here.authenticator.credentials()).toHaveLength(1)
  })

  it('is not created when nobody touches the authenticator in time, and the page stays usable', async () => {
    const here = await stage.openWith({})
    await signInWithPassword(here, await stage.server.createUser())
    await here.authenticator.setPresent(false)
    await changeCall<CreationChallenge>(here.page, 'webauthn/register/begin', {
      answer: ({ publicKey }) => {
        publicKey.timeout = 500
      },
    })
    await askForPasskey(here)
    await expect.poll(here.web.failed).toMatch(nothingSigned)

    await here.authenticator.setPresent(true)
    await createPasskey(here)
    expect(await listedPasskeys(here)).toHaveLength(1)
  })
})
