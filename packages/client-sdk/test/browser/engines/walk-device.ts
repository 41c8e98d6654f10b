import { createTestUser, testPassword } from '@countersign/core/testing'
import { describe, expect, it } from 'vitest'
import { type EnginePages, loaded } from './engine-pages.ts'

/** Walks with a device whose key the browser keeps. */
export const walkDevice = (pages: () => EnginePages): void => {
  describe('a device key', () => {
    it('registers, logs in and approves, and the page verifies the receipt', async () => {
      const tab = await pages().openTab()
      const { email } = await createTestUser(pages().test)
      const outcome = await tab.evaluate(
        async (login) => {
          const client = sdk.createClient({ baseUrl: location.origin })
          await client.auth.login(login)
          const signer = await sdk.webCryptoSigner()
          await client.devices.register({ signer, deviceName: 'This browser', deviceType: 'desktop' })
          const phone = sdk.createClient({ baseUrl: location.origin })
          await phone.mobile.login({ signer })
          const actionPayload = { amount: 12.5, currency: 'EUR', recipient: 'Ada’s Workshop' }
          const requested = await client.confirmations.request({ actionType: 'payment_approval', actionPayload })
          const { confirmations } = await phone.confirmations.pending()
          const changed = { ...confirmations[0], actionPayload: { ...actionPayload, amount: 125 } }
          const refusal = await phone.confirmations.approve(changed as (typeof confirmations)[number], signer).catch(String)
          for (const one of confirmations) await phone.confirmations.approve(one, signer)
          const { status } = await requested.settled()
          const { receipt } = await client.confirmations.receipt({ confirmationId: requested.confirmationId })
          const keys = await client.receipts.keys()
          const damaged = receipt.replace('~', 'A~')
          const verdicts = [receipt, damaged].map((one) => sdk.receipts.verifyReceipt(one, { keys }))
          return [refusal, status, ...(await Promise.all(verdicts)).map(({ verdict }) => verdict)]
        },
        { email, password: testPassword },
      )
      expect(outcome).toEqual([expect.stringContaining('nothing was signed'), 'approved', 'genuine', 'refused'])
    })

    it('is made once for all tabs, survives reloads, and has its own name', async () => {
      const [one, other] = [await pages().openTab(), await pages().openTab()]
      const fingerprint = (tab: typeof one, name: string) =>
        tab.evaluate(async (given) => (await sdk.webCryptoSigner({ name: given })).deviceFingerprint, name)
      const made = await Promise.all([fingerprint(one, 'shared'), fingerprint(other, 'shared'), fingerprint(one, 'shared')])
      expect(new Set(made).size).toBe(1)
      await one.reload()
      await loaded(one)
      expect(await fingerprint(one, 'shared')).toBe(made[0])
      expect(await fingerprint(one, 'other')).not.toBe(made[0])
    })

    it('cannot be read, not even by the page that uses it', async () => {
      const tab = await pages().openTab()
      const outcome = await tab.evaluate(async () => {
        await sdk.webCryptoSigner()
        const opening = indexedDB.open('countersign')
        await new Promise((resolve) => {
          opening.onsuccess = resolve
        })
        const reading = opening.result.transaction('device-keys').objectStore('device-keys').get('default')
        await new Promise((resolve) => {
          reading.onsuccess = resolve
        })
        const { privateKey } = (reading.result as { keyPair: CryptoKeyPair }).keyPair
        return [privateKey.extractable, await crypto.subtle.exportKey('pkcs8', privateKey).catch((error: Error) => error.name)]
      })
      expect(outcome).toEqual([false, 'InvalidAccessError'])
    })
  })
}
