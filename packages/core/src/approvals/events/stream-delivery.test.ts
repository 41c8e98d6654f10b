import { setImmediate as untilChecked } from 'node:timers/promises'
import type { LiveEvent } from '@countersign/contract'
import { createTestCountersign, type TestCountersign } from '@countersign/storage-sqlite/testing'
import { beforeEach, describe, expect, it, vi } from 'vitest'
import type { Caller } from '../../identity/authentication/caller.ts'
import { deriveTokenKeys } from '../../identity/tokens/token-keys.ts'
import { knownTokens } from '../../identity/tokens/verify-token.ts'
import { defaultOptions } from '../../options.ts'
import { type DeviceUser, signInNewDeviceUser } from '../../testing/sign-in.ts'
import type { LiveApproval, LiveChange } from '../records/live-change.ts'
import { type LiveStreams, liveStreams } from './live-streams.ts'

const SIGN_OF_LIFE = 'sign of life'

let test: TestCountersign
let user: DeviceUser
let streams: LiveStreams
/** Reports changes as the storage does. */
let report: (changes: readonly LiveChange[] | 'unknown') => void
/** Says who has the token of a stream. */
let authenticate: ReturnType<typeof vi.fn<() => Promise<Caller>>>
/** Returns what waits for the user and will expire. */
let expiring: ReturnType<typeof vi.fn<() => Promise<readonly LiveApproval[]>>>

beforeEach(async () => {
  test = await createTestCountersign()
  user = await signInNewDeviceUser(test)
  authenticate = vi.fn(async () => user.mobile.caller)
  expiring = vi.fn(async () => [])
  streams = liveStreams({
    tokenKeys: deriveTokenKeys(test.jwtKeys),
    knownTokens: knownTokens(),
    clock: test.clock,
    options: defaultOptions,
    storage: {
      confirmations: { ...test.storage.confirmations, expiring },
      watchChanges: (listener) => {
        report = listener
        return () => {}
      },
    },
    authenticate,
  })
})

const open = async () => {
  const seen: (LiveEvent | typeof SIGN_OF_LIFE)[] = []
  const end = vi.fn()
  const send = (event: LiveEvent | undefined) => void seen.push(event ?? SIGN_OF_LIFE)
  const close = await streams.open({ token: user.mobile.tokens.accessToken, send, end })
  /** Returns what the stream has sent since the last call, after the checks that are under way. */
  const sent = async () => {
    await untilChecked()
    return seen.splice(0)
  }
  expect((await sent()).at(-1)).toStrictEqual({ type: 'read_again' })
  return { close, end, sent }
}

/** A confirmation that the web session of the user asked for. */
const aChange = (id: string, more: Partial<LiveApproval> = {}): LiveApproval => {
  const { userId, sessionId } = user.web.caller
  const expiresAt = test.clock.now() + 60_000
  return { kind: 'confirmation', id, userId, sessionId, tenant: null, boundTo: null, status: 'pending', expiresAt, ...more }
}
const anEvent = (id: string, status: LiveApproval['status'] = 'pending') => ({ type: 'confirmation', id, status })

/** Lets the next check of a session wait. Returns the functions that finish it. */
const holdNextCheck = () => {
  const check = Promise.withResolvers<Caller>()
  authenticate.mockReturnValueOnce(check.promise)
  return check
}

describe('a stream of a session that is bound to tenants', () => {
  it('gets the confirmations in its tenants and the vouchings for its bound, and nothing of the account', async () => {
    authenticate.mockResolvedValue({ ...user.mobile.caller, tenants: ['acme'] })
    const stream = await open()
    report([
      { kind: 'account', userId: user.user.id },
      aChange('inside', { tenant: 'acme' }),
      aChange('elsewhere', { tenant: 'other' }),
      aChange('unbound'),
      aChange('vouching', { boundTo: ['acme'] }),
      aChange('other vouching', { boundTo: ['other'] }),
    ])
    expect(await stream.sent()).toStrictEqual([anEvent('inside'), anEvent('vouching')])
    report('unknown')
    expect(await stream.sent()).toStrictEqual([{ type: 'read_again' }])
  })
})

describe('a stream that closes', () => {
  it('is counted once, even if it is closed twice, and the other streams of its user still get events', async () => {
    const [first, second] = [await open(), await open()]
    first.close()
    first.close()
    expect(streams.count()).toBe(1)
    report([aChange('conf_1')])
    expect(await second.sent()).toStrictEqual([anEvent('conf_1')])
    expect(await first.sent()).toStrictEqual([])
  })

  it.each([
    ['succeeds', (check: PromiseWithResolvers<Caller>) => check.resolve(user.mobile.caller)],
    ['fails', (check: PromiseWithResolvers<Caller>) => check.reject(new Error('the database is away'))],
  ])('while its session is checked gets nothing more, if the check %s', async (_, finish) => {
    const stream = await open()
    const check = holdNextCheck()
    report([aChange('conf_1')])
    stream.close()
    finish(check)
    expect(await stream.sent()).toStrictEqual([])
    expect(stream.end).not.toHaveBeenCalled()
    expect(streams.count()).toBe(0)
  })

  it('leaves nothing to the next stream of its user, which reads again what will expire', async () => {
    const first = await open()
    first.close()
    const row = aChange('conf_1')
    expiring.mockResolvedValueOnce([row])
    const second = await open()
    test.clock.set(row.expiresAt)
    report([])
    expect(await second.sent()).toStrictEqual([anEvent('conf_1', 'expired')])
  })
})

describe('a stream that does not open', () => {
  it('because the database cannot be read is not counted', async () => {
    expiring.mockRejectedValueOnce(new Error('the database is away'))
    await expect(open()).rejects.toThrow('the database is away')
    expect(streams.count()).toBe(0)
  })
})

describe('a stream whose device', () => {
  const standard = () => ({ ...user.mobile.caller, trustLevel: 'standard' as const })

  it('loses its trust ends without an event, although its session is live', async () => {
    const stream = await open()
    authenticate.mockResolvedValue(standard())
    report([aChange('conf_1')])
    expect(await stream.sent()).toStrictEqual([])
    expect(stream.end).toHaveBeenCalledOnce()
    expect(streams.count()).toBe(0)
  })

  it('becomes trusted gets the event read_again once, and then every event', async () => {
    authenticate.mockResolvedValue(standard())
    const stream = await open()
    report([aChange('conf_1')])
    expect(await stream.sent()).toStrictEqual([])
    authenticate.mockResolvedValue(user.mobile.caller)
    report([aChange('conf_2')])
    expect(await stream.sent()).toStrictEqual([{ type: 'read_again' }, anEvent('conf_2')])
    report([aChange('conf_3')])
    expect(await stream.sent()).toStrictEqual([anEvent('conf_3')])
  })
})

describe('a sign of life', () => {
  it('is sent 14 seconds after the last event or sign of life', async () => {
    const stream = await open()
    const sentAfter = (milliseconds: number) => {
      test.clock.advance(milliseconds)
      report([])
      return stream.sent()
    }
    test.clock.advance(10_000)
    report([aChange('conf_1')])
    expect(await stream.sent()).toStrictEqual([anEvent('conf_1')])
    for (let time = 0; time < 2; time += 1) {
      expect(await sentAfter(13_750)).toStrictEqual([])
      expect(await sentAfter(250)).toStrictEqual([SIGN_OF_LIFE])
    }
  })
})

describe('the events that come while a session is checked', () => {
  it.each([
    [1, 'are sent after the check'],
    [100, 'are sent after the check'],
    [101, 'are replaced by read_again'],
  ])('%i: %s', async (count) => {
    const stream = await open()
    const check = holdNextCheck()
    report([aChange('first')])
    const ids = Array.from({ length: count }, (_, at) => `conf_${at}`)
    for (const id of ids) report([aChange(id)])
    expect(await stream.sent()).toStrictEqual([])
    check.resolve(user.mobile.caller)
    const later = count > 100 ? [{ type: 'read_again' }] : ids.map((id) => anEvent(id))
    expect(await stream.sent()).toStrictEqual([anEvent('first'), ...later])
  })
})

describe('the changes of several users', () => {
  it('reach each user who has a stream, whoever else has none', async () => {
    const stream = await open()
    report([aChange('of another', { userId: user.user.id + 1 }), aChange('own')])
    expect(await stream.sent()).toStrictEqual([anEvent('own')])
  })

  it('that were lost are read again by 250 users at a time, and once by each', async () => {
    let userId = 0
    authenticate.mockImplementation(async () => {
      userId += 1
      return { ...user.mobile.caller, userId }
    })
    const opened = await Promise.all(Array.from({ length: 251 }, open))
    const sent = async () => (await Promise.all(opened.map((stream) => stream.sent()))).map((events) => events.length)
    report('unknown')
    expect(await sent()).toStrictEqual([...Array<number>(250).fill(1), 0])
    report([])
    expect(await sent()).toStrictEqual([...Array<number>(250).fill(0), 1])
    report([])
    expect(await sent()).toStrictEqual(Array<number>(251).fill(0))
  })
})

describe('the expiry of a confirmation', () => {
  it('is reported once, and never for a confirmation that was settled', async () => {
    const stream = await open()
    const [settled, waiting] = [aChange('settled'), aChange('waiting')]
    report([settled, waiting])
    report([{ ...settled, status: 'approved' }])
    expect(await stream.sent()).toStrictEqual([anEvent('settled'), anEvent('waiting'), anEvent('settled', 'approved')])
    test.clock.set(waiting.expiresAt)
    report([])
    expect(await stream.sent()).toStrictEqual([anEvent('waiting', 'expired')])
    test.clock.advance(1000)
    report([])
    expect(await stream.sent()).toStrictEqual([])
  })

  it('is not reported if the confirmation was settled while a new stream read what waits', async () => {
    const row = aChange('conf_1')
    const rows = Promise.withResolvers<readonly LiveApproval[]>()
    expiring.mockReturnValueOnce(rows.promise)
    const opening = open()
    await untilChecked()
    report([{ ...row, status: 'approved' }])
    rows.resolve([row, aChange('conf_2')])
    const stream = await opening
    test.clock.set(row.expiresAt)
    report([])
    expect(await stream.sent()).toStrictEqual([anEvent('conf_2', 'expired')])
  })

  it('is looked for every 250 milliseconds, however often changes are reported', async () => {
    const stream = await open()
    report([aChange('conf_1', { expiresAt: test.clock.now() + 1 })])
    expect(await stream.sent()).toStrictEqual([anEvent('conf_1')])
    test.clock.advance(249)
    report([])
    expect(await stream.sent()).toStrictEqual([])
    test.clock.advance(1)
    report([])
    expect(await stream.sent()).toStrictEqual([anEvent('conf_1', 'expired')])
  })
})
