import { createContext, runInContext } from 'node:vm'
import { testPassword } from '@countersign/core/testing'
import { describe, expect, it } from 'vitest'
import type * as Sdk from '../src/index.ts'
import { bundleClient } from '../src/testing/bundle-client.ts'
import { aPayment, createDeviceClient } from '../src/testing/device-client.ts'
import { createTestSigner } from '../src/testing/test-signer.ts'

/** An abort without a reason, as in React Native runtimes. */
class OldAbortController {
  readonly #controller = new AbortController()
  readonly signal: AbortSignal = new Proxy(this.#controller.signal, {
    get: (target, name) => {
      if (name === 'reason') return undefined
      const value: unknown = Reflect.get(target, name, target)
      return typeof value === 'function' ? value.bind(target) : value
    },
  })
  abort(): void {
    this.#controller.abort()
  }
}

/** Requests as in old runtimes, which carry a signal and ignore everything else of it. */
class OldRequest extends Request {
  constructor(url: string, { signal: _, ...init }: RequestInit) {
    super(url, init)
  }
}

/** The client with the features that every platform has, without Node, WebCrypto and the DOM. */
const onBarePlatform = async (): Promise<typeof Sdk> => {
  const { code } = await bundleClient(`export * from '@countersign/client-sdk'`, 'iife')
  const platform = { Request: OldRequest, AbortController: OldAbortController, TextEncoder, atob, btoa, setTimeout, clearTimeout }
  return runInContext(`${code}; bundled`, createContext(platform)) as typeof Sdk
}

describe('on a platform with minimal features', () => {
  it('a phone logs in, renews its session and approves', async () => {
    const given = await createDeviceClient()
    const { createClient, asyncTokenStore } = await onBarePlatform()
    const texts = new Map<string, string>()
    const phone = createClient({
      baseUrl: 'http://countersign.test',
      fetch: (request) => given.test.app.fetch(request),
      store: asyncTokenStore({
        getItem: async (key) => texts.get(key) ?? null,
        setItem: async (key, text) => texts.set(key, text),
        removeItem: async (key) => texts.delete(key),
      }),
      sha512: (bytes) => crypto.subtle.digest('SHA-512', bytes),
      sha256: (bytes) => crypto.subtle.digest('SHA-256', bytes),
    })
    const user = { email: given.email, password: testPassword }
    await phone.auth.login(user)
    const signer = createTestSigner('RS256')
    const { device } = await phone.devices.register({ signer, deviceName: 'Another phone', deviceType: 'mobile' })
    expect(device).toMatchObject({ deviceFingerprint: signer.deviceFingerprint })
    await phone.mobile.login({ signer: given.signer })
    given.test.clock.advance(16 * 60_000)
    await given.client.confirmations.request(aPayment)
    const { confirmations } = await phone.confirmations.pending()
    expect(confirmations).toHaveLength(1)
    for (const one of confirmations) {
      expect(await phone.confirmations.approve(one, given.signer)).toMatchObject({ status: 'approved' })
    }
    expect(await phone.auth.logout()).toMatchObject({ success: true })
    expect(texts.size).toBe(0)
  })

  it('calls end when their signal aborts and at their time limit', async () => {
    const { createClient } = await onBarePlatform()
    const client = createClient({ baseUrl: 'http://countersign.test', fetch: () => new Promise(() => {}) })
    const controller = new OldAbortController()
    const aborted = client.health.check({}, { signal: controller.signal })
    controller.abort()
    await expect(aborted).rejects.toMatchObject({ name: 'AbortError' })
    await expect(client.health.check({}, { timeout: 1 })).rejects.toMatchObject({ code: 'TIMEOUT' })
  })

  it('a missing feature of the platform is named in an error', async () => {
    const { createClient, webCryptoSigner } = await onBarePlatform()
    const client = createClient({ baseUrl: 'http://countersign.test', fetch: () => Response.json({}) })
    await expect(webCryptoSigner()).rejects.toMatchObject({ code: 'UNSUPPORTED' })
    await expect(client.passkeys.login()).rejects.toMatchObject({ code: 'UNSUPPORTED' })
    const { phone, signer, client: web } = await createDeviceClient()
    await web.confirmations.request(aPayment)
    const { confirmations } = await phone.confirmations.pending()
    const token = (await phone.accessToken()) ?? ''
    for (const one of confirmations) {
      await expect(client.confirmations.approve(one, signer, { token })).rejects.toMatchObject({ code: 'UNSUPPORTED' })
    }
  })
})
