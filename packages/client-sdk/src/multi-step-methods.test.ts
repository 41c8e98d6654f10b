import { createHash } from 'node:crypto'
import { afterEach, describe, expect, it, vi } from 'vitest'
import { createClient } from './create-client.ts'
import type { DeviceSigner } from './identity/devices/device-signer.ts'
import { aPayment, createDeviceClient } from './testing/device-client.ts'
import { watch } from './testing/watch-call.ts'

/** Milliseconds that each request takes. */
const SLOW = 700

const realTimeout = setTimeout

/** Waits for a moment of real time, much longer than a signature takes. */
const pause = () => new Promise((resolve) => realTimeout(resolve, 30))

/** A phone of a real user on a network that is slow from now on, and the answers of a person to its prompts. */
const onSlowNetwork = async () => {
  const given = await createDeviceClient()
  await given.client.confirmations.request(aPayment)
  const [shown] = (await given.phone.confirmations.pending()).confirmations
  if (shown === undefined) throw new Error('Nothing waits')
  const tokens = await given.phone.accessToken()
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'Date'] })
  const sent: string[] = []
  let answering = 0
  const client = createClient({
    baseUrl: 'http://countersign.test',
    fetch: async (request) => {
      sent.push(new URL(request.url).pathname)
      await new Promise((resolve) => setTimeout(resolve, SLOW))
      answering += 1
      return Promise.resolve(given.test.app.fetch(request)).finally(() => {
        answering -= 1
      })
    },
    // Immediately and as a `Uint8Array`, as `@noble/hashes` does: no time passes except the time that a test lets pass.
    sha512: (bytes) => createHash('sha512').update(bytes).digest(),
  })
  const state = () => `${sent.length} requests, ${answering} answers under way, ${vi.getTimerCount()} timers`
  /**
   * Lets time pass in small steps. Time does not move while the server works on a response, and while the client may compute with
   * WebCrypto, in another thread: for a real pause after each event.
   */
  const passTime = async (milliseconds: number) => {
    await pause()
    for (let at = 0; at < milliseconds; at += 50) {
      const before = state()
      await vi.advanceTimersByTimeAsync(50)
      do for (let turn = 0; turn < 5; turn += 1) await new Promise((resolve) => setImmediate(resolve))
      while (answering > 0)
      if (state() !== before) await pause()
    }
  }
  return { ...given, client, shown, token: tokens ?? '', sent, passTime }
}

type Given = Awaited<ReturnType<typeof onSlowNetwork>>

/** The methods that send several requests and ask the signer. `approve` with a token sends one request. */
const methods: readonly (readonly [string, number, (given: Given, signer: DeviceSigner, options: object) => Promise<unknown>])[] =
  [
    ['mobile.login', 2, ({ client }, signer, options) => client.mobile.login({ signer }, options)],
    [
      'devices.register',
      2,
      ({ client, token }, signer, options) =>
        client.devices.register({ signer, deviceName: 'Phone', deviceType: 'mobile' }, { token, ...options }),
    ],
    [
      'confirmations.approve',
      1,
      ({ client, shown, token }, signer, options) => client.confirmations.approve(shown, signer, { token, ...options }),
    ],
  ]

const never = () => new Promise<never>(() => {})

afterEach(() => void vi.useRealTimers())

describe.each(methods)('%s', (_, requests, run) => {
  it('has one time limit for all of its requests', async () => {
    const given = await onSlowNetwork()
    const seen = watch(run(given, { ...given.signer, deviceFingerprint: 'new' }, { timeout: requests * SLOW - 100 }))
    await given.passTime(requests * SLOW - 150)
    expect(seen).toEqual([])
    await given.passTime(100)
    expect(seen).toMatchObject([{ code: 'TIMEOUT', message: `No answer within ${requests * SLOW - 100} ms` }])
  })

  it('does not count the time of a prompt towards its time limit', async () => {
    const given = await onSlowNetwork()
    const sign: DeviceSigner['sign'] = async () => {
      await new Promise((resolve) => setTimeout(resolve, 60_000))
      throw new Error('The person declined')
    }
    const seen = watch(run(given, { ...given.signer, deviceFingerprint: 'slow', sign }, { timeout: 2 * SLOW }))
    await given.passTime(59_000)
    expect(seen).toEqual([])
    await given.passTime(3000)
    expect(seen).toMatchObject([{ message: 'The person declined' }])
    expect(vi.getTimerCount()).toBe(0)
  })

  it('continues after the prompt with the time that was left', async () => {
    const given = await onSlowNetwork()
    const sign: DeviceSigner['sign'] = async () => {
      await new Promise((resolve) => setTimeout(resolve, 10_000))
      return 'none'
    }
    const seen = watch(run(given, { ...given.signer, deviceFingerprint: 'slow', sign }, { timeout: requests * SLOW - 100 }))
    await given.passTime(10_000 + requests * SLOW - 200)
    expect(seen).toEqual([])
    await given.passTime(200)
    expect(seen).toMatchObject([{ code: 'TIMEOUT' }])
  })

  it('rejects when its signal aborts during a prompt, and sends no further request', async () => {
    const given = await onSlowNetwork()
    const controller = new AbortController()
    let answer: (signature: string) => void = () => {}
    const sign = () => new Promise<string>((resolve) => (answer = resolve))
    const signer = { ...given.signer, deviceFingerprint: 'pending', sign }
    const seen = watch(run(given, signer, { signal: controller.signal }))
    await given.passTime(3000)
    expect(seen).toEqual([])
    const reason = new Error('the screen was left')
    controller.abort(reason)
    await given.passTime(50)
    expect(seen).toEqual([reason])
    given.sent.length = 0
    answer('late')
    await given.passTime(2000)
    expect(given.sent).toEqual([])
    expect(vi.getTimerCount()).toBe(0)
  })

  it('rejects when its signal aborts while the signer looks for its key', async () => {
    const given = await onSlowNetwork()
    const controller = new AbortController()
    const signer = { ...given.signer, deviceFingerprint: 'pending', publicKey: never, sign: never }
    const seen = watch(run(given, signer, { signal: controller.signal }))
    await given.passTime(3000)
    controller.abort()
    await given.passTime(50)
    expect(seen).toMatchObject([{ name: 'AbortError' }])
  })
})

describe('auth.logout', () => {
  it('has one time limit for all of its requests', async () => {
    const given = await onSlowNetwork()
    const { client } = given
    const seen: unknown[] = []
    const logIn = watch(client.mobile.login({ signer: given.signer }))
    await given.passTime(3 * SLOW)
    expect(logIn).toMatchObject([{ success: true }])
    given.test.clock.advance(3_600_000)
    client.auth.logout({}, { timeout: 2 * SLOW }).catch((error: unknown) => seen.push(error))
    await given.passTime(2 * SLOW)
    expect(seen).toMatchObject([{ code: 'LOGOUT_PENDING', cause: { code: 'TIMEOUT' } }])
    expect(await client.accessToken()).toBeUndefined()
  })
})
