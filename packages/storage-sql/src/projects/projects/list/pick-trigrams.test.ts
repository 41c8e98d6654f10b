import { describe, expect, it } from 'vitest'
import { pickFromSample, trigramsOf } from './pick-trigrams.ts'
import { addTo, emptySet, intersectionOf, type ProjectSet, SAMPLE, sizeOf } from './trigram-sample.ts'

const setOf = (rows: readonly number[]): ProjectSet => {
  const set = emptySet()
  for (const row of rows) addTo(set, row)
  return set
}

/** What is known of these texts, as many of each as are said. */
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

describe('a set of projects of a sample', () => {
  it('knows how many it holds, and what it has in common with another', () => {
    const all = setOf(Array.from({ length: SAMPLE }, (_, row) => row))
    const some = setOf([0, 31, 32, 63, 500, SAMPLE - 1])
    expect(
      [emptySet(), all, some, intersectionOf(all, some), intersectionOf(setOf([1, 31, 33]), some)].map(sizeOf),
    ).toStrictEqual([0, SAMPLE, 6, 6, 1])
  })
})

describe('the trigrams that a search is found by', () => {
  const sample = sampleOf([
    ['pump of brno', 6],
    ['pump of essen', 64],
    ['mill of brno', 90],
    ['mill of essen', 840],
  ])

  it('are of both words where each word alone is common, though all of one word are rarer than those of the other', () => {
    const { trigrams, share } = pickFromSample(trigramsOf('pump of brno'), sample)
    expect(trigrams).toHaveLength(2)
    expect(trigramsOf('pump of')).toContain(trigrams[0])
    expect(trigramsOf('of brno')).toContain(trigrams[1])
    expect(share).toBeCloseTo(0.006)
  })

  it('are no more than one where another would not find fewer', () => {
    expect(pickFromSample(trigramsOf('pump'), sample)).toStrictEqual({ trigrams: ['pum'], share: 0.07 })
  })

  it('are those that no project of the sample has, where there are such, and then few projects are expected', () => {
    const { trigrams, share } = pickFromSample(trigramsOf('mill of zagreb'), sample)
    for (const trigram of trigrams) expect(sample.having.has(trigram)).toBe(false)
    expect(share).toBeLessThanOrEqual(0.0005)
  })

  it('are picked without a sample too, as from a database without projects', () => {
    expect(pickFromSample(trigramsOf('mill'), sampleOf([])).trigrams.length).toBeGreaterThan(0)
  })

  it('are by code points, each once', () => {
    expect(trigramsOf('𝕏𝕐𝕏𝕐𝕏')).toStrictEqual(['𝕏𝕐𝕏', '𝕐𝕏𝕐'])
    expect(trigramsOf('ab')).toStrictEqual([])
  })
})
