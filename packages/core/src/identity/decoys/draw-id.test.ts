import { expect, it } from 'vitest'
import { systemRandom } from '../../shared/random.ts'
import { drawsOf } from './draw.ts'
import { drawId } from './hash-like.ts'

const key = systemRandom.bytes(32)
const idOf = (subject: number | string, lastId: number) => drawId(drawsOf(key, `${subject}@example.test`), lastId)

it('a subject always draws the same id, between 1 and the last id', () => {
  for (const lastId of [1, 2, 3, 7, 1000, 1_000_000]) {
    for (let subject = 0; subject < 50; subject += 1) {
      const id = idOf(subject, lastId)
      expect(id).toBeGreaterThanOrEqual(1)
      expect(id).toBeLessThanOrEqual(lastId)
      expect(idOf(subject, lastId)).toBe(id)
    }
  }
})

it('subjects draw every id equally often', () => {
  const drawn = Array.from({ length: 10 }, () => 0)
  const subjects = 5000
  for (let subject = 0; subject < subjects; subject += 1) {
    const at = idOf(subject, drawn.length) - 1
    drawn[at] = (drawn[at] ?? 0) + 1
  }
  // 500 each on average; six standard deviations are 127.
  for (const times of drawn) {
    expect(times).toBeGreaterThan(370)
    expect(times).toBeLessThan(630)
  }
})

it('a subject keeps its id while ids are added, or draws one of the new ids', () => {
  let moved = 0
  const subjects = 2000
  for (let subject = 0; subject < subjects; subject += 1) {
    const [before, after] = [idOf(subject, 100), idOf(subject, 200)]
    if (after === before) continue
    expect(after).toBeGreaterThan(100)
    moved += 1
  }
  // Half of the subjects; six standard deviations are 134.
  expect(Math.abs(moved - subjects / 2)).toBeLessThan(140)
})
