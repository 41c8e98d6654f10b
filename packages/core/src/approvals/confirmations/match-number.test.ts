import { expect, it } from 'vitest'
import { systemRandom } from '../../shared/random.ts'
import { newMatchNumber } from './build-confirmation.ts'

it('a match number has two digits, and every number from 00 to 99 occurs', () => {
  const numbers = Array.from({ length: 5000 }, () => newMatchNumber(systemRandom))
  for (const number of numbers) expect(number).toMatch(/^[0-9]{2}$/)
  expect(new Set(numbers).size).toBe(100)
})

it('a match number below 10 has a leading zero', () => {
  expect(newMatchNumber({ bytes: () => Uint8Array.of(0, 0, 0, 7) })).toBe('07')
  expect(newMatchNumber({ bytes: () => Uint8Array.of(0xff, 0xff, 0xff, 0xff) })).toBe('95')
})
