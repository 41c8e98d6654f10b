import { describe, expect, it } from 'vitest'
import { pickFromSample, sampleOf, trigramsOf } from './pick-trigrams.ts'

/** Builds a sample from texts and their numbers of occurrences. */
const sampleWith = (counts: readonly (readonly [text: string, count: number])[]) => {
  const texts = counts.flatMap(([text, count]) => Array<string>(count).fill(text))
  return sampleOf(texts, texts.length)
}

describe('the trigrams picked for a search', () => {
  const sample = sampleWith([
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
    expect(pickFromSample(trigramsOf('mill'), sampleWith([])).trigrams.length).toBeGreaterThan(0)
  })

  it('consist of code points, and each occurs once', () => {
    expect(trigramsOf('𝕏𝕐𝕏𝕐𝕏')).toStrictEqual(['𝕏𝕐𝕏', '𝕐𝕏𝕐'])
    expect(trigramsOf('ab')).toStrictEqual([])
  })
})
