import { describe, expect, it } from 'vitest'
import { pickFromSample, trigramsOf } from './pick-trigrams.ts'
import { addTo, emptySet, intersectionOf, type ProjectSet, SAMPLE, sizeOf } from './trigram-sample.ts'

const setOf = (rows: readonly number[]): ProjectSet => {
  const set = emptySet()
  for (const row of rows) addTo(set, row)
  return set
}

/** Builds a sample from texts and their numbers of occurrences. */
const sampleOf = (texts: readonly (readonly [text: string, count: number])[]) => {
  const having = new Map<string, ProjectSet>()
  let size = 0
  for (const [text, count] of texts) {
    for (let copy = 0; copy < count; copy += 1) {
      for (const trigram of trigramsOf(text)) {
        const set = having.get(trigram) ?? emptySet()
        addTo(set, size)
        having.set(trigram, set)
      }
      size += 1
    }
  }
  return { projects: size, size, having }
}

describe('a sampled set of projects', () => {
  it('has a size and an intersection with another set', () => {
    const all = setOf(Array.from({ length: SAMPLE }, (_, row) => row))
    const some = setOf([0, 31, 32, 63, 500, SAMPLE - 1])
    expect(
      [emptySet(), all, some, intersectionOf(all, some), intersectionOf(setOf([1, 31, 33]), some)].map(sizeOf),
    ).toStrictEqual([0, SAMPLE, 6, 6, 1])
  })
})

describe('the trigrams picked for a search', () => {
  const sample = sampleOf([
    ['pump of brno', 6],
    ['pump of essen', 64],
    ['mill of brno', 90],
    ['mill of essen', 840],
  ])

  it('combine both words when each word alone is common', () => {
    const { trigrams, share } = pickFromSample(trigramsOf('pump of brno'), sample)
    expect(trigrams).toHaveLength(2)
    expect(trigramsOf('pump of')).toContain(trigrams[0])
    expect(trigramsOf('of brno')).toContain(trigrams[1])
    expect(share).toBeCloseTo(0.006)
  })

  it('are limited to one when another would not narrow the result', () => {
    expect(pickFromSample(trigramsOf('pump'), sample)).toStrictEqual({ trigrams: ['pum'], share: 0.07 })
  })

  it('include trigrams that no sampled project has, which predicts few results', () => {
    const { trigrams, share } = pickFromSample(trigramsOf('mill of zagreb'), sample)
    for (const trigram of trigrams) expect(sample.having.has(trigram)).toBe(false)
    expect(share).toBeLessThanOrEqual(0.0005)
  })

  it('are picked without a sample too, as for a database without projects', () => {
    expect(pickFromSample(trigramsOf('mill'), sampleOf([])).trigrams.length).toBeGreaterThan(0)
  })

  it('consist of code points, and each occurs once', () => {
    expect(trigramsOf('𝕏𝕐𝕏𝕐𝕏')).toStrictEqual(['𝕏𝕐𝕏', '𝕐𝕏𝕐'])
    expect(trigramsOf('ab')).toStrictEqual([])
  })
})
