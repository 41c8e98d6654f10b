import { performance } from 'node:perf_hooks'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { silentLogger } from '../../shared/logger.ts'
import { processorTimeOf } from '../../testing/processor-time.ts'
import { cheapHasher } from '../../testing/test-keys.ts'
import { argon2Hasher } from './argon2-hasher.ts'
import { unusableHashFormats } from './formats/format-trial.ts'

const password = 'correct horse battery staple'
const bcryptHash = '$2b$05$abcdefghijklmnopqrstuuFiPhXf1sVd3pCCRO.uVh34H/qI/ZsuS'
const scryptHash = '$scrypt$ln=10,r=8,p=1$oXRujdH6n3NuzXkPAQDAGA$MC9iNA1ZlpXE9efChcN9Rw2Izrxgt+Ab+b45z8lhM58'

/** A bcrypt hash of this cost that matches no known password. */
const ofCost = (cost: string) => bcryptHash.replace('$05$', `$${cost}$`)

describe('a hash from elsewhere', () => {
  it.each([bcryptHash, scryptHash])('is checked in its own format, and counts as outdated: %.20s', async (hash) => {
    const hasher = cheapHasher()
    expect(await hasher.verify(hash, password)).toBe(true)
    expect(await hasher.verify(hash, `${password}!`)).toBe(false)
    expect(hasher.isOutdated(hash)).toBe(true)
    expect(await hasher.acceptHash?.(hash)).toStrictEqual({ hash })
  })

  it('matches the password as it was typed, and its NFKC form', async () => {
    const hasher = cheapHasher()
    // The hash of "cafe\u0301 ﬁne", as another system stored it without normalising the password.
    const { bcrypt } = await import('hash-wasm')
    const of = (text: string) => bcrypt({ password: text, salt: Buffer.alloc(16, 7), costFactor: 5, outputType: 'encoded' })
    const typed = 'cafe\u0301 \uFB01ne'
    expect(await hasher.verify(await of(typed), typed)).toBe(true)
    expect(await hasher.verify(await of(typed.normalize('NFKC')), typed)).toBe(true)
    expect(await hasher.verify(await of('another'), typed)).toBe(false)
  })

  it('is refused and never computed if it costs too much', async () => {
    const hasher = cheapHasher()
    for (const hostile of [
      ofCost('31'),
      scryptHash.replace('ln=10', 'ln=30'),
      '$pbkdf2-sha256$1000000000$AAAA$'.padEnd(80, 'A'),
    ]) {
      expect(await hasher.acceptHash?.(hostile)).toStrictEqual({ refusal: expect.stringMatching(/^must /) })
      const before = performance.now()
      expect(await hasher.verify(hostile, password)).toBe(false)
      expect(performance.now() - before).toBeLessThan(1000)
    }
  })

  it('matches nothing if its form is unknown, even if it is in the database', async () => {
    const hasher = cheapHasher()
    for (const unreadable of ['', password, 'directory:abc', '$argon2id$v=19$m=64,t=1,p=1$A$A']) {
      expect(await hasher.verify(unreadable, password)).toBe(false)
      expect(await hasher.acceptHash?.(unreadable)).toStrictEqual({ refusal: expect.stringMatching(/^must /) })
    }
  })

  it("has a limit of cost that does not apply to the process's own hashes", async () => {
    const strong = argon2Hasher({ memoryKib: 16, passes: 3, lanes: 1 })
    const many = argon2Hasher({ memoryKib: 160 * 1024, passes: 1, lanes: 2 })
    const hash = await many.hash(password)
    expect(await many.verify(hash, password)).toBe(true)
    expect(await many.acceptHash?.(hash)).toStrictEqual({ refusal: expect.stringContaining('must take at most') })
    expect(await strong.verify(hash, password)).toBe(false)
  })
})

describe('the check of an unknown account', () => {
  it('never matches, even with the password of the imitated account', async () => {
    expect(await cheapHasher().verify(null, password, async () => {}, bcryptHash)).toBe(false)
    expect(await cheapHasher().verify(null, password, async () => {}, null)).toBe(false)
    expect(await cheapHasher().verify('unreadable', password, async () => {}, bcryptHash)).toBe(false)
  })

  it('imitates a hash that the host names', async () => {
    const hasher = argon2Hasher({ memoryKib: 8, passes: 1, unknownLike: ofCost('11') })
    expect(await hasher.verify(null, password)).toBe(false)
    // A check of this cost takes 60 ms or more on any machine; an argon2id check of this hasher less than one.
    expect(await processorTimeOf(() => hasher.verify(null, password))).toBeGreaterThan(20)
    expect(() => argon2Hasher({ unknownLike: ofCost('31') })).toThrow(RangeError)
  })

  it('takes as long as a check of the imitated account', async () => {
    const hasher = cheapHasher()
    const slow = ofCost('11')
    const time = (stored: string | null, like: string | null) =>
      processorTimeOf(() => hasher.verify(stored, 'not the password', async () => {}, like))
    const quickest = { real: Number.POSITIVE_INFINITY, imitated: Number.POSITIVE_INFINITY, plain: Number.POSITIVE_INFINITY }
    for (let round = 0; round < 4; round += 1) {
      quickest.real = Math.min(quickest.real, await time(slow, bcryptHash))
      quickest.imitated = Math.min(quickest.imitated, await time(null, slow))
      quickest.plain = Math.min(quickest.plain, await time(null, null))
    }
    // Without the imitation, the ratio is below 0.05. A busy machine changes it by far less than 0.5.
    expect(quickest.imitated / quickest.real).toBeGreaterThan(0.5)
    expect(quickest.real / quickest.imitated).toBeGreaterThan(0.5)
    expect(quickest.plain / quickest.real).toBeLessThan(0.25)
  })
})

describe('an argon2id hash with exactly the parameters of the hasher', () => {
  const typed = 'cafe\u0301 \uFB01ne staple'
  const options = { memoryKib: 8, passes: 1 }
  const ofTyped = async () => {
    const { argon2id } = await import('hash-wasm')
    const salt = Buffer.alloc(16, 7)
    return argon2id({
      password: typed,
      salt,
      iterations: 1,
      parallelism: 1,
      memorySize: 8,
      hashLength: 32,
      outputType: 'encoded',
    })
  }

  it('is checked with the password as typed if it was imported, and replaced at the next login', async () => {
    const hasher = argon2Hasher(options)
    const accepted = await hasher.acceptHash?.(await ofTyped())
    if (accepted === undefined || !('hash' in accepted)) throw new Error('the hash is not accepted')
    expect(await hasher.verify(accepted.hash, typed)).toBe(true)
    expect(await hasher.verify(accepted.hash, `${typed}.`)).toBe(false)
    expect(hasher.isOutdated(accepted.hash)).toBe(true)
  })

  it('is checked with the NFKC form of the password alone otherwise', async () => {
    const hasher = argon2Hasher(options)
    expect(await hasher.verify(await ofTyped(), typed)).toBe(false)
    expect(await hasher.verify(await hasher.hash(typed), typed)).toBe(true)
  })
})

describe('a slow hash', () => {
  it.each([
    ofCost('13'),
    scryptHash.replace('ln=10', 'ln=17'),
    `$pbkdf2-sha512$i=1000000$AAAA$${'A'.repeat(43)}`,
    `$argon2id$v=19$m=131072,t=8,p=1$${'A'.repeat(22)}$${'A'.repeat(43)}`,
  ])('is accepted only with the option for slow hashes: %.30s', async (hash) => {
    const hasher = cheapHasher()
    expect(await hasher.acceptHash?.(hash)).toStrictEqual({
      refusal: expect.stringContaining('unless the import accepts slow hashes'),
    })
    expect(await hasher.acceptHash?.(hash, { acceptSlow: true })).toStrictEqual({ hash })
  })

  it.each([
    ofCost('12'),
    scryptHash.replace('ln=10,r=8', 'ln=14,r=16'),
    `$pbkdf2-sha256$i=1200000$AAAA$${'A'.repeat(43)}`,
    `$argon2id$v=19$m=65536,t=4,p=1$${'A'.repeat(22)}$${'A'.repeat(43)}`,
  ])('is not a hash with the common costs: %.30s', async (hash) => {
    expect(await cheapHasher().acceptHash?.(hash)).toStrictEqual({ hash })
  })
})

describe('a machine without the binary of bcrypt', () => {
  beforeEach(() => {
    vi.doMock('@node-rs/bcrypt', () => {
      throw new Error('Cannot find native binding')
    })
  })
  afterEach(() => {
    vi.doUnmock('@node-rs/bcrypt')
  })

  it('accepts no bcrypt hash, and names the format', async () => {
    const hasher = cheapHasher()
    expect(await hasher.acceptHash?.(bcryptHash)).toStrictEqual({
      refusal: 'must not be bcrypt, which this machine cannot compute',
    })
    expect(await hasher.acceptHash?.(scryptHash)).toStrictEqual({ hash: scryptHash })
    expect(await unusableHashFormats()).toStrictEqual(['bcrypt'])
  })

  it('checks a bcrypt hash as a mismatch, after the work of another hash, and logs the format', async () => {
    const error = vi.fn()
    const hasher = argon2Hasher({ memoryKib: 16 * 1024, passes: 2, logger: { ...silentLogger, error } })
    const before = performance.now()
    expect(await hasher.verify(bcryptHash, password)).toBe(false)
    // The work of the hasher's own hash takes 10 ms or more on any machine.
    expect(performance.now() - before).toBeGreaterThan(4)
    expect(error).toHaveBeenCalledWith('password_check_failed', { format: 'bcrypt', reason: expect.any(String) })
  })
})

it('a usual machine computes every format', async () => {
  expect(await unusableHashFormats()).toStrictEqual([])
})
