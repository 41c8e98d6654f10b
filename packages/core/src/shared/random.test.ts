import { expect, it } from 'vitest'
import { randomUuid, systemRandom } from './random.ts'

it('a random UUID has version 4, and no two are the same', () => {
  const ids = Array.from({ length: 1000 }, () => randomUuid(systemRandom))
  for (const id of ids) expect(id).toMatch(/^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/)
  expect(new Set(ids).size).toBe(1000)
})

it('a random UUID consists of the given bytes, except version and variant', () => {
  expect(randomUuid({ bytes: (count) => new Uint8Array(count).fill(0xff) })).toBe('ffffffff-ffff-4fff-bfff-ffffffffffff')
  expect(randomUuid({ bytes: (count) => new Uint8Array(count) })).toBe('00000000-0000-4000-8000-000000000000')
})

it('a random UUID comes from the generator when the generator makes UUIDs', () => {
  const own = '0b6f8f34-4b0c-4b6e-9d57-0d2c8d1f9f10'
  expect(randomUuid({ ...systemRandom, uuid: () => own })).toBe(own)
})

it('the system generator returns as many bytes as requested', () => {
  for (const count of [0, 1, 64]) expect(systemRandom.bytes(count)).toHaveLength(count)
  expect(systemRandom.bytes(64)).not.toStrictEqual(systemRandom.bytes(64))
})
