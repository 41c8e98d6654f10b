import { expect, it } from 'vitest'
import { createPasskey, listedPasskeys, signInWithPassword, signOut, storedPasskeys } from './playground.ts'
import { describeOnStage } from './stage.ts'

describeOnStage('the passkeys of a user', (stage) => {
  it('have names that their owner can change', async () => {
    const here = await stage.openWith({})
    await signInWithPassword(here, await stage.server.createUser())
    await createPasskey(here)
    const [name] = await listedPasskeys(here)
    await here.web.button(`Rename passkey ${name}`).click()
    await here.web.field('New name').fill('Ada’s key')
    await here.web.button('Save name').click()
    await expect.poll(() => listedPasskeys(here)).toEqual(['Ada’s key'])
    await here.page.reload()
    await expect.poll(() => listedPasskeys(here)).toEqual(['Ada’s key'])
  })

  it('end exactly the sessions that they opened, immediately and everywhere, when they are deleted', async () => {
    const user = await stage.server.createUser()
    const here = await stage.openWith({})
    await signInWithPassword(here, user)
    await createPasskey(here, { keep: 'required' })
    const [credential] = await here.authenticator.credentials()
    if (credential === undefined) throw new Error('there is no passkey to copy')

    const there = await stage.openWith({})
    await there.authenticator.addCredential(credential)
    await there.web.button('Sign in with a passkey').click()
    await expect.poll(there.web.signedIn).toBe('Signed in with a passkey')

    await here.web.region.getByRole('button', { name: /^Delete passkey / }).click()
    await expect.poll(() => listedPasskeys(here)).toEqual([])
    await there.web.button('Refresh tokens').click()
    await expect.poll(there.web.signedIn).toBe('')
    expect(await there.web.failed()).toMatch(/session has ended|\(401\)/)
    expect(await here.web.signedIn()).toBe('Signed in with a password')
  })

  it('can be deleted by a session that one of them opened, which also ends that session', async () => {
    const user = await stage.server.createUser()
    const here = await stage.openWith({})
    await signInWithPassword(here, user)
    await createPasskey(here, { keep: 'required' })
    await signOut(here.web)
    await here.web.button('Sign in with a passkey').click()
    await expect.poll(here.web.signedIn).toBe('Signed in with a passkey')
    await here.web.region.getByRole('button', { name: /^Delete passkey / }).click()
    await expect.poll(here.web.signedIn).toBe('')
    await signInWithPassword(here, user)
    expect(await storedPasskeys(here)).toEqual([])
  })
})
