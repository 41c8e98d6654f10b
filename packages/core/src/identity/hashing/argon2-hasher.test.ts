import { setImmediate } from 'node:timers/promises'
import { describe, expect, it } from 'vitest'
import { Unavailable } from '../../shared/errors.ts'
import { gate } from '../../testing/contract/at-once.ts'
import { processorTimeOf } from '../../testing/processor-time.ts'
import { cheapHasher } from '../../testing/test-keys.ts'
import { argon2Hasher } from './argon2-hasher.ts'

const password = 'correct horse battery staple'
/** A bcrypt hash whose check takes about a second. No test computes it with this cost more than once. */
const slow = '$2b$14$abcdefghijklmnopqrstuuFiPhXf1sVd3pCCRO.uVh34H/qI/ZsuS'
const unknownHash = (parameters: string) => `${parameters}${'A'.repeat(22)}$${'A'.repeat(43)}`

describe('a password hash', () => {
  it('is argon2id with 19 MiB, two passes and one lane by default', async () => {
    expect(await argon2Hasher().hash(password)).toMatch(
      /^\$argon2id\$v=19\$m=19456,t=2,p=1\$[A-Za-z0-9+/]{22,}\$[A-Za-z0-9+/]{43}$/,
    )
  })

  it('has the parameters that a host sets', async () => {
    expect(await argon2Hasher({ memoryKib: 32, passes: 3, lanes: 2 }).hash(password)).toMatch(/^\$argon2id\$v=19\$m=32,t=3,p=2\$/)
  })

  it('has a new salt each time', async () => {
    const hasher = cheapHasher()
    expect(await hasher.hash(password)).not.toBe(await hasher.hash(password))
  })

  it('matches its password and no other', async () => {
    const hasher = cheapHasher()
    const hash = await hasher.hash(password)
    expect(await hasher.verify(hash, password)).toBe(true)
    for (const other of ['', `${password} `, ` ${password}`, password.toUpperCase(), `${password}\0`]) {
      expect(await hasher.verify(hash, other)).toBe(false)
    }
  })

  it('covers the whole password, also NUL and the characters after it', async () => {
    const hasher = cheapHasher()
    expect(await hasher.verify(await hasher.hash(`${password}\0a`), `${password}\0b`)).toBe(false)
    expect(await hasher.verify(await hasher.hash('x'.repeat(127)), 'x'.repeat(128))).toBe(false)
  })

  it.each([
    ['composed and decomposed letters', 'caf\u00E9 caf\u00E9 caf\u00E9', 'cafe\u0301 cafe\u0301 cafe\u0301'],
    ['ligatures and their letters', 'ﬁne ﬁne ﬁne ﬁne', 'fine fine fine fine'],
    ['full-width and plain letters', 'ｐａｓｓｗｏｒｄ１２３４', 'password1234'],
  ])('is the same for %s', async (_, one, other) => {
    const hasher = cheapHasher()
    expect(await hasher.verify(await hasher.hash(one), other)).toBe(true)
    expect(await hasher.verify(await hasher.hash(other), one)).toBe(true)
  })

  it('is checked with its own parameters, whatever new hashes have', async () => {
    const old = await argon2Hasher({ memoryKib: 16, passes: 3 }).hash(password)
    expect(await cheapHasher().verify(old, password)).toBe(true)
  })
})

describe('a missing hash', () => {
  it('matches no password', async () => {
    const hasher = cheapHasher()
    for (const any of [password, '', 'null']) expect(await hasher.verify(null, any)).toBe(false)
  })

  it('costs as much work as a real hash', async () => {
    const hasher = argon2Hasher({ memoryKib: 32 * 1024, passes: 2 })
    const hash = await hasher.hash(password)
    const quickest = { real: Number.POSITIVE_INFINITY, none: Number.POSITIVE_INFINITY }
    const time = (stored: string | null) => processorTimeOf(() => hasher.verify(stored, 'not the password'))
    for (let round = 0; round < 12; round += 1) {
      quickest.real = Math.min(quickest.real, await time(hash))
      quickest.none = Math.min(quickest.none, await time(null))
    }
    // Without hashing, the ratio is below 0.01. A busy machine changes it by far less than 0.5.
    expect(quickest.none / quickest.real).toBeGreaterThan(0.5)
  })
})

describe('a hash counts as outdated', () => {
  const hasher = argon2Hasher({ memoryKib: 64, passes: 2 })
  const salted = 'c2FsdHNhbHRzYWx0$aGFzaGhhc2hoYXNoaGFzaGhhc2hoYXNoaGFzaGhhc2g'

  it.each([
    '$argon2id$v=19$m=63,t=2,p=1$',
    '$argon2id$v=19$m=64,t=1,p=1$',
    '$argon2id$v=19$m=64,t=2,p=2$',
    '$argon2i$v=19$m=64,t=2,p=1$',
    '$argon2id$v=16$m=64,t=2,p=1$',
    '$2b$12$',
    '',
  ])('for %s', (parameters) => {
    expect(hasher.isOutdated(parameters + salted)).toBe(true)
  })

  it.each(['$argon2id$v=19$m=64,t=2,p=1$', '$argon2id$v=19$m=65,t=2,p=1$', '$argon2id$v=19$m=64,t=3,p=1$'])(
    'but not for %s',
    (parameters) => {
      expect(hasher.isOutdated(parameters + salted)).toBe(false)
    },
  )

  it('but never for a new hash', async () => {
    expect(hasher.isOutdated(await hasher.hash(password))).toBe(false)
  })
})

describe('the queue of hashes', () => {
  const outcomesOf = async (calls: readonly Promise<unknown>[]) => {
    const outcomes = await Promise.allSettled(calls)
    const done = outcomes.filter(({ status }) => status === 'fulfilled').length
    const reasons = outcomes.flatMap((outcome) => (outcome.status === 'rejected' ? [outcome.reason] : []))
    return { done, reasons }
  }

  it('refuses calls immediately when the queue is full, with a retry time', async () => {
    const hasher = argon2Hasher({ memoryKib: 8, passes: 1, concurrency: 2, longestWaitMs: 2 })
    const { done, reasons } = await outcomesOf(Array.from({ length: 10 }, () => hasher.hash(password)))
    expect(done).toBe(5)
    expect(reasons).toHaveLength(5)
    for (const reason of reasons) {
      expect(reason).toBeInstanceOf(Unavailable)
      expect(reason).toMatchObject({ kind: 'unavailable', retryAfterMs: 1000 })
    }
    await expect(hasher.hash(password)).resolves.toBeDefined()
  })

  it('has one limit for hashing and verifying together', async () => {
    const hasher = argon2Hasher({ memoryKib: 8, passes: 1, longestWaitMs: 0 })
    const { done } = await outcomesOf([hasher.hash(password), hasher.verify(null, password), hasher.hash(password)])
    expect(done).toBe(1)
  })

  it('is separate for imported hashes and their imitations, which do not delay native hashes', async () => {
    const hasher = argon2Hasher({ memoryKib: 8, passes: 1, longestWaitMs: 0 })
    const own = await hasher.hash(password)
    const { passed, open } = gate()
    const known = hasher.verify(slow, password, () => passed)
    for (const unknown of [hasher.verify(null, password, undefined, slow), hasher.verify(slow, password)])
      await expect(unknown).rejects.toMatchObject({ kind: 'unavailable', retryAfterMs: expect.toSatisfy((ms) => ms > 900) })
    expect(await hasher.verify(own, password)).toBe(true)
    expect(await hasher.verify(null, password)).toBe(false)
    expect(hasher.load?.()).toMatchObject([
      { lane: 'own', running: 0, waitMs: 0 },
      { lane: 'foreign', running: 1, waiting: 0 },
    ])
    expect(hasher.ensureRoom).not.toThrow()
    open()
    await known
  })

  it('counts the check of a second form of the password only for imported hashes', async () => {
    const hasher = argon2Hasher({ memoryKib: 64 * 1024, passes: 3 })
    const { passed, open } = gate()
    const own = unknownHash('$argon2id$v=19$m=65536,t=3,p=1$')
    const foreign = unknownHash('$argon2id$v=19$m=65536,t=3,p=2$')
    const calls = [own, foreign].map((hash) => hasher.verify(hash, 'cafe\u0301 of the week', () => passed))
    await setImmediate()
    const [ownLoad, foreignLoad] = hasher.load?.() ?? []
    expect((foreignLoad?.waitMs ?? 0) / (ownLoad?.waitMs ?? 0)).toBeCloseTo(2)
    open()
    expect(await Promise.all(calls)).toStrictEqual([false, false])
  })

  it('runs at most the given number of hashes concurrently', async () => {
    const hasher = argon2Hasher({ memoryKib: 8, passes: 1, concurrency: 2 })
    const { passed, open } = gate()
    let started = 0
    const guard = async () => {
      started += 1
      await passed
    }
    const calls = Array.from({ length: 6 }, () => hasher.verify(null, password, guard))
    await setImmediate()
    expect(started).toBe(2)
    open()
    await Promise.all(calls)
    expect(started).toBe(6)
  })

  it('calls the guard when a call leaves the queue; if the guard refuses, the next call runs', async () => {
    const hasher = cheapHasher()
    const hash = await hasher.hash(password)
    const order: string[] = []
    const call = (name: string, refusal?: Error) =>
      hasher
        .verify(hash, password, async () => {
          order.push(`${name} begins`)
          if (refusal !== undefined) throw refusal
        })
        .finally(() => order.push(`${name} ends`))
    const { done, reasons } = await outcomesOf([call('first'), call('second', new Error('not now')), call('third')])
    expect(done).toBe(2)
    expect(reasons).toStrictEqual([new Error('not now')])
    expect(order.indexOf('first begins')).toBeLessThan(order.indexOf('second begins'))
    expect(order.indexOf('second begins')).toBeLessThan(order.indexOf('third begins'))
  })
})

it('hashing does not block the event loop', async () => {
  // Long enough that a busy machine gives the event loop its share of the time.
  const hasher = argon2Hasher({ passes: 20 })
  let isDone = false
  const hashing = hasher.hash(password).finally(() => {
    isDone = true
  })
  let turns = 0
  while (!isDone) {
    turns += 1
    await setImmediate()
  }
  await hashing
  // Hashing on the event loop would end within one or two turns.
  expect(turns).toBeGreaterThan(20)
})
