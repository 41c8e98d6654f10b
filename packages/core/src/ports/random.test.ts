import { expect, it } from 'vitest'
import { pooledRandom, randomUuid, systemRandom } from './random.ts'

it('a random UUID is of version 4, and never the same twice', () => {
  const ids = Array.from({ length: 1000 }, () => randomUuid(systemRandom))
  for (const id of ids) expect(id).toMatch(/^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/)
  expect(new Set(ids).size).toBe(1000)
})

it('a random UUID is made of the bytes it is given, but for version and variant', () => {
  expect(randomUuid({ bytes: (count) => new Uint8Array(count).fill(0xff) })).toBe('ffffffff-ffff-4fff-bfff-ffffffffffff')
  expect(randomUuid({ bytes: (count) => new Uint8Array(count) })).toBe('00000000-0000-4000-8000-000000000000')
})

it('the system’s random bytes are as many as asked for', () => {
  for (const count of [0, 1, 64]) expect(systemRandom.bytes(count)).toHaveLength(count)
  expect(systemRandom.bytes(64)).not.toStrictEqual(systemRandom.bytes(64))
})

it('bytes of a pool are all of its source, each given once, and stay as they are', () => {
  let filled = 0
  const random = pooledRandom((bytes) => {
    for (let at = 0; at < bytes.length; at += 1) bytes[at] = filled++ % 251
  })
  const given = [16, 1, 0, 500, ...Array<number>(600).fill(16)].map((count) => random.bytes(count))
  const copies = given.map((bytes) => [...bytes])
  random.bytes(512)
  random.bytes(5000)
  expect(given.map((bytes) => [...bytes])).toStrictEqual(copies)
  const small = copies.flat()
  // A pool that has too few left is filled anew, so at most that many are passed over each time.
  const skips = small.filter((byte, at) => at > 0 && byte !== ((small[at - 1] ?? 0) + 1) % 251)
  expect(skips.length).toBeLessThanOrEqual(Math.ceil(small.length / 3000))
})
