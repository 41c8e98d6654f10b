import type { LiveEvent } from '@countersign/contract'
import { createTestCountersign, type TestCountersign } from '@countersign/storage-sqlite/testing'
import { beforeEach, describe, expect, it, onTestFinished, vi } from 'vitest'
import { startStopwatch } from '../../../../../tools/testing/stopwatch.ts'
import { InvalidAccessToken } from '../../identity/authentication/errors.ts'
import { deriveTokenKeys } from '../../identity/tokens/token-keys.ts'
import { knownTokens } from '../../identity/tokens/verify-token.ts'
import { defaultOptions } from '../../options.ts'
import { hours } from '../../shared/clock.ts'
import { Overloaded } from '../../shared/errors.ts'
import { approve } from '../../testing/approve-payment.ts'
import { initiatePayment } from '../../testing/initiate-payment.ts'
import { approvalByPasskey, signInByPasskey, signInNewPasskeyUser } from '../../testing/passkeys.ts'
import { type DeviceUser, signIn, signInByDevice, signInNewDeviceUser } from '../../testing/sign-in.ts'
import type { LiveChange } from '../records/live-change.ts'
import { liveStreams } from './live-streams.ts'

const SIGN_OF_LIFE = 'sign of life'

let test: TestCountersign
let user: DeviceUser
beforeEach(async () => {
  test = await createTestCountersign()
  user = await signInNewDeviceUser(test)
})

const open = async (tokens: { readonly accessToken: string }) => {
  const seen: (LiveEvent | typeof SIGN_OF_LIFE)[] = []
  let hasEnded = false
  const close = await test.countersign.events.open({
    token: tokens.accessToken,
    send: (event) => {
      expect(hasEnded).toBe(false)
      seen.push(event ?? SIGN_OF_LIFE)
    },
    end: () => {
      hasEnded = true
    },
  })
  const expectSeen = async (...events: readonly (LiveEvent | typeof SIGN_OF_LIFE)[]) => {
    await expect.poll(() => seen, { interval: 10 }).toEqual(events)
    seen.length = 0
  }
  const expectEnd = async () => {
    const time = startStopwatch()
    await expect.poll(() => hasEnded, { interval: 10 }).toBe(true)
    expect(time()).toBeLessThan(1000)
  }
  await expectSeen({ type: 'read_again' })
  return { seen, close, expectSeen, expectEnd, hasEnded: () => hasEnded }
}

/** Long enough for every committed change to reach the streams. */
const untilTold = () => new Promise((resolve) => setTimeout(resolve, 200))

describe('the live stream of a trusted device', () => {
  it('reports each confirmation of its user, when it is asked and when it is settled', async () => {
    const phone = await open(user.mobile.tokens)
    const asked = await initiatePayment(test, user.web.caller)
    await phone.expectSeen({ type: 'confirmation', id: asked.id, status: 'pending' })
    await approve(test, user, asked)
    await phone.expectSeen({ type: 'confirmation', id: asked.id, status: 'approved' })
    const other = await initiatePayment(test, user.web.caller)
    await phone.expectSeen({ type: 'confirmation', id: other.id, status: 'pending' })
    await test.countersign.confirmations.withdraw({ caller: user.web.caller, confirmationId: other.id })
    await phone.expectSeen({ type: 'confirmation', id: other.id, status: 'withdrawn' })
  })

  it('reports the expiry of requests that were made before and after the stream opened', async () => {
    const before = await initiatePayment(test, user.web.caller)
    const settled = await initiatePayment(test, user.web.caller)
    await approve(test, user, settled)
    const phone = await open(user.mobile.tokens)
    const after = await initiatePayment(test, user.web.caller)
    await phone.expectSeen({ type: 'confirmation', id: after.id, status: 'pending' })
    test.clock.set(before.expiresAt)
    await phone.expectSeen(
      { type: 'confirmation', id: before.id, status: 'expired' },
      { type: 'confirmation', id: after.id, status: 'expired' },
    )
  })

  it('reports nothing of another user', async () => {
    const other = await signInNewDeviceUser(test)
    const phone = await open(user.mobile.tokens)
    await initiatePayment(test, other.web.caller)
    await signIn(test, other.user)
    await untilTold()
    expect(phone.seen).toEqual([])
  })

  it('ends when its device loses its trust, and the other streams of the user get an event', async () => {
    const second = await signInByDevice(test, user)
    const [phone, web] = [await open(second.tokens), await open(user.web.tokens)]
    await test.countersign.devices.remove({ caller: user.web.caller, deviceId: user.device.id })
    await phone.expectEnd()
    await web.expectSeen({ type: 'account' })
    expect(phone.seen).toEqual([])
  })
})

describe('the live stream of a session that a trusted passkey opened', () => {
  const opened = async (userVerified: boolean) => {
    test = await createTestCountersign({ options: { passkeyApprovals: true } })
    const { user: owner, caller, virtual } = await signInNewPasskeyUser(test)
    const { tokens } = await signInByPasskey(test, virtual, { changes: { flags: { userVerified } } })
    return { owner, caller, virtual, stream: await open(tokens) }
  }

  it('reports each confirmation of its user if passkeys approve', async () => {
    const { caller, virtual, stream } = await opened(true)
    const asked = await initiatePayment(test, caller)
    await stream.expectSeen({ type: 'confirmation', id: asked.id, status: 'pending' })
    await test.countersign.confirmations.approve({ ...approvalByPasskey(virtual, asked), caller })
    await stream.expectSeen({ type: 'confirmation', id: asked.id, status: 'approved' })
  })

  it('hides confirmations that others asked for if the passkey did not verify its user', async () => {
    const { caller, stream } = await opened(false)
    await initiatePayment(test, caller)
    await untilTold()
    expect(stream.seen).toEqual([])
  })
})

describe('the live stream of a web session', () => {
  it('reports the confirmations that the session itself asked for', async () => {
    const web = await open(user.web.tokens)
    const asked = await initiatePayment(test, user.web.caller)
    await web.expectSeen({ type: 'confirmation', id: asked.id, status: 'pending' })
    await approve(test, user, asked)
    await web.expectSeen({ type: 'confirmation', id: asked.id, status: 'approved' })
  })

  it('hides the confirmations of another session of the same user, whatever their outcome is', async () => {
    const before = await initiatePayment(test, user.web.caller)
    const stolen = await signIn(test, user.user)
    const web = await open(stolen.tokens)
    const asked = await initiatePayment(test, user.web.caller)
    await approve(test, user, asked)
    await untilTold()
    test.clock.set(before.expiresAt)
    await untilTold()
    expect(web.seen.filter((event) => event !== SIGN_OF_LIFE)).toEqual([])
  })

  it('reports sessions and locks of the user', async () => {
    const web = await open(user.web.tokens)
    const { caller, tokens } = await signIn(test, user.user)
    await web.expectSeen({ type: 'account' })
    await test.countersign.auth.logout({ caller, refreshToken: tokens.refreshToken })
    await web.expectSeen({ type: 'account' })
  })
})

describe('a live stream', () => {
  it.each([
    ['its session', () => test.countersign.auth.logout({ caller: user.web.caller, refreshToken: user.web.tokens.refreshToken })],
    ['its user', () => test.countersign.users.disable({ email: user.user.email })],
    ['an open account', () => test.countersign.users.lock({ email: user.user.email })],
  ])('ends within a second of the end of %s, without an event', async (_, endIt) => {
    const web = await open(user.web.tokens)
    await endIt()
    await web.expectEnd()
    expect(web.seen).toEqual([])
    expect(test.countersign.events.count()).toBe(0)
  })

  it('ends when its token expires', async () => {
    const web = await open(user.web.tokens)
    const { exp } = JSON.parse(atob(user.web.tokens.accessToken.split('.')[1] ?? '')) as { readonly exp: number }
    test.clock.set(exp * 1000 - 250)
    await web.expectSeen(SIGN_OF_LIFE)
    test.clock.set(exp * 1000)
    await web.expectEnd()
  })

  it('sends a sign of life after 14 seconds, and checks the session before', async () => {
    const web = await open(user.web.tokens)
    test.clock.advance(13_750)
    await untilTold()
    expect(web.seen).toEqual([])
    test.clock.advance(250)
    await web.expectSeen(SIGN_OF_LIFE)
  })

  it('continues to send signs of life, and to check the session, if the clock is set back by an hour', async () => {
    const web = await open(user.web.tokens)
    test.clock.advance(-hours(1))
    await web.expectSeen(SIGN_OF_LIFE)
    await untilTold()
    expect(web.seen).toEqual([])
  })

  it('sends its signs of life in time, even if it hides many events', async () => {
    const stolen = await signIn(test, user.user)
    const web = await open(stolen.tokens)
    test.clock.advance(10_000)
    await initiatePayment(test, user.web.caller)
    await untilTold()
    expect(web.seen).toEqual([])
    test.clock.advance(4000)
    await web.expectSeen(SIGN_OF_LIFE)
  })

  it('ends without an event if its session cannot be checked', async () => {
    const web = await open(user.web.tokens)
    vi.spyOn(test.storage.sessions, 'status').mockRejectedValue(new Error('the database is away'))
    await initiatePayment(test, user.web.caller).catch(() => {})
    test.clock.advance(14_000)
    await web.expectEnd()
    expect(web.seen).toEqual([])
  })

  it('is refused if its session has five streams, which stay open, and opens after one of these was closed', async () => {
    const streams: Awaited<ReturnType<typeof open>>[] = []
    for (let index = 0; index < 5; index += 1) streams.push(await open(user.web.tokens))
    const refused = { kind: 'unavailable', reason: 'streams_open', retryAfterMs: 5000 }
    await expect(open(user.web.tokens)).rejects.toMatchObject(refused)
    expect(streams.map(({ hasEnded }) => hasEnded())).toEqual([false, false, false, false, false])
    await open(user.mobile.tokens)
    streams[0]?.close()
    await open(user.web.tokens)
    expect(test.countersign.events.count()).toBe(6)
  })

  it('is refused if its user has fifty streams in ten sessions, which stay open; other users can still open streams', async () => {
    for (let session = 0; session < 10; session += 1) {
      const { tokens } = await signIn(test, user.user)
      for (let index = 0; index < 5; index += 1) await open(tokens)
    }
    const eleventh = await signIn(test, user.user)
    await expect(open(eleventh.tokens)).rejects.toMatchObject({ kind: 'unavailable', reason: 'streams_open' })
    expect(test.countersign.events.count()).toBe(50)
    await open((await signInNewDeviceUser(test)).web.tokens)
  })

  it('is refused with `streams_open` if the process has 10,000 streams, and opens after one of these was closed', async () => {
    const token = user.mobile.tokens.accessToken
    let userId = 0
    const streams = liveStreams({
      tokenKeys: deriveTokenKeys(test.jwtKeys),
      knownTokens: knownTokens(),
      clock: test.clock,
      options: defaultOptions,
      storage: { ...test.storage, confirmations: { ...test.storage.confirmations, expiring: async () => [] } },
      // Each stream is of another user.
      authenticate: async () => {
        userId += 1
        return { ...user.mobile.caller, userId }
      },
    })
    onTestFinished(streams.end)
    const openOne = () => streams.open({ token, send: () => {}, end: () => {} })
    const [leave] = await Promise.all(Array.from({ length: 10_000 }, openOne))
    await expect(openOne()).rejects.toMatchObject({ kind: 'unavailable', reason: 'streams_open', retryAfterMs: 5000 })
    leave?.()
    await openOne()
    expect(streams.count()).toBe(10_000)
  })

  it('is refused if its token expires while its session is checked', async () => {
    const { clock, jwtKeys } = test
    const { caller, tokens } = user.web
    const deps = { ...test, tokenKeys: deriveTokenKeys(jwtKeys), knownTokens: knownTokens(), options: defaultOptions }
    const authenticate = async () => {
      clock.advance(hours(24))
      return caller
    }
    const opening = liveStreams({ ...deps, authenticate }).open({ token: tokens.accessToken, send: () => {}, end: () => {} })
    await expect(opening).rejects.toStrictEqual(new InvalidAccessToken())
  })

  it('sends nothing after its client has gone, and frees its memory and timers', async () => {
    const web = await open(user.web.tokens)
    web.close()
    expect(test.countersign.events.count()).toBe(0)
    await initiatePayment(test, user.web.caller)
    await untilTold()
    expect(web.seen).toEqual([])
    expect(web.hasEnded()).toBe(false)
  })

  it('ends the watching of changes only when the last stream has gone, and a later stream watches again', async () => {
    const stop = vi.fn()
    const watch = vi.spyOn(test.storage, 'watchChanges').mockReturnValue(stop)
    const [first, second] = [await open(user.web.tokens), await open(user.mobile.tokens)]
    first.close()
    expect(stop).not.toHaveBeenCalled()
    second.close()
    expect([watch.mock.calls.length, stop.mock.calls.length]).toStrictEqual([1, 1])
    const third = await open(user.web.tokens)
    third.close()
    expect([watch.mock.calls.length, stop.mock.calls.length]).toStrictEqual([2, 2])
  })

  it('gets the event read_again after a gap', async () => {
    let report: (changes: 'unknown') => void = () => {}
    vi.spyOn(test.storage, 'watchChanges').mockImplementation((listener) => {
      report = listener
      return () => {}
    })
    const web = await open(user.web.tokens)
    report('unknown')
    await web.expectSeen({ type: 'read_again' })
  })

  it.each([
    [100, 100],
    [101, 1],
  ])('that has %i events to send at once sends %i, because the client reads everything again after more', async (given, sent) => {
    let report: (changes: readonly LiveChange[]) => void = () => {}
    vi.spyOn(test.storage, 'watchChanges').mockImplementation((listener) => {
      report = listener
      return () => {}
    })
    const { seen } = await open(user.mobile.tokens)
    const { userId, sessionId } = user.web.caller
    const of = { kind: 'confirmation', userId, sessionId, tenant: null, boundTo: null, status: 'approved' } as const
    report(Array.from({ length: given }, (_, at) => ({ ...of, id: `conf_${at}`, expiresAt: test.clock.now() })))
    await expect.poll(() => seen.length, { interval: 10 }).toBe(sent)
    expect(seen[0]).toMatchObject({ type: sent === 1 ? 'read_again' : 'confirmation' })
  })

  it('is refused without a valid token, and ends at the shutdown, after which no stream opens', async () => {
    const sink = { send: () => {}, end: () => {} }
    await expect(test.countersign.events.open({ token: 'x', ...sink })).rejects.toStrictEqual(new InvalidAccessToken())
    const web = await open(user.web.tokens)
    test.countersign.events.end()
    expect(web.hasEnded()).toBe(true)
    await expect(test.countersign.events.open({ token: user.web.tokens.accessToken, ...sink })).rejects.toBeInstanceOf(Overloaded)
  })
})
