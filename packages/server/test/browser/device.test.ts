import type { Page } from 'playwright-core'
import { expect, it } from 'vitest'
import { registerBrowser, signInWithDevice, signInWithPassword, signOut } from './playground.ts'
import { describeOnStage } from './stage.ts'

/** Reads the device key from the browser's database and tries to export it. */
const tryToReadKey = (page: Page) =>
  page.evaluate(async () => {
    const settled = <T>(request: IDBRequest<T>): Promise<T> =>
      new Promise((resolve, reject) => {
        request.onsuccess = () => resolve(request.result)
        request.onerror = () => reject(request.error ?? new Error('failed'))
      })
    const database = await settled(indexedDB.open('countersign-playground'))
    const store = database.transaction('device-keys').objectStore('device-keys')
    const [kept] = (await settled(store.getAll())) as { readonly privateKey: CryptoKey }[]
    if (kept === undefined) throw new Error('there is no key')
    const { type, extractable, usages } = kept.privateKey
    const read = async (format: 'pkcs8' | 'jwk'): Promise<string> => {
      try {
        await crypto.subtle.exportKey(format, kept.privateKey)
        return 'exported'
      } catch (error) {
        return (error as DOMException).name
      }
    }
    return { type, extractable, usages, exports: [await read('pkcs8'), await read('jwk')] }
  })

describeOnStage('a browser used as a device', (stage) => {
  it('is registered with a key that not even the page can read', async () => {
    const here = await stage.open()
    await signInWithPassword(here, await stage.server.createUser())
    await registerBrowser(here, { deviceName: 'Ada’s browser' })
    await here.web.button('Remove device Ada’s browser').waitFor()
    expect(await tryToReadKey(here.page)).toEqual({
      type: 'private',
      extractable: false,
      usages: ['sign'],
      exports: ['InvalidAccessError', 'InvalidAccessError'],
    })
  })

  it('signs in by its key with high trust, also after the page was closed', async () => {
    const context = await stage.newContext()
    const first = await stage.open({ view: 'phone', context })
    await registerBrowser(first, { user: await stage.server.createUser() })
    await first.page.close()

    const { phone, page } = await stage.open({ view: 'phone', context })
    await signInWithDevice(phone)
    expect(await phone.region.getByText('trust level high').count()).toBe(1)
    await page.reload()
    await phone.region.getByRole('heading', { name: 'Signed in with the key of this device' }).waitFor()
    await phone.button('Refresh tokens').click()
    await expect.poll(phone.done).toMatch(/^Tokens refreshed/)
    await signOut(phone)
    await signInWithDevice(phone)
  })

  it('is signed out when it is removed on the web, and cannot sign in again', async () => {
    const here = await stage.open()
    await signInWithPassword(here, await stage.server.createUser())
    await registerBrowser(here)
    await signInWithDevice(here.phone)
    await here.web.button('Remove device My browser').click()
    await expect.poll(here.web.done).toMatch(/removed/)
    await expect.poll(here.phone.signedIn).toBe('')
    await here.phone.button('Sign in with this device').click()
    await expect.poll(here.phone.failed).toBe('Invalid biometric token (401).')
  })
})
