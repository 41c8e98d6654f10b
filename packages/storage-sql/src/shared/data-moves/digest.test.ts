import type { StoredRow } from '@countersign/core/storage'
import { describe, expect, it } from 'vitest'
import { addRows, emptyDigest, isSameDigest } from './digest.ts'

const digestOf = (...rows: readonly StoredRow[]) => addRows(emptyDigest, rows)

describe('the digest of rows', () => {
  const rows: readonly StoredRow[] = [
    ['1', 'Ada', null],
    ['2', 'Grace', 0.5],
    ['3', '', 1e308],
  ]

  it('does not depend on the order or grouping of rows', () => {
    const whole = digestOf(...rows)
    const parts = addRows(addRows(emptyDigest, rows.slice(2)), rows.slice(0, 2).toReversed())
    expect(isSameDigest(whole, parts)).toBe(true)
    expect(whole.rows).toBe(3)
  })

  it.each<[what: string, one: readonly StoredRow[], other: readonly StoredRow[]]>([
    ['a row more', [['1']], [['1'], ['2']]],
    ['a row twice', [['1'], ['2']], [['1'], ['1']]],
    ['nothing and an empty text', [[null]], [['']]],
    ['nothing and the word', [[null]], [['null']]],
    ['values exchanged between columns', [['a', 'b']], [['b', 'a']]],
    [
      'values exchanged between rows',
      [
        ['1', 'a'],
        ['2', 'b'],
      ],
      [
        ['1', 'b'],
        ['2', 'a'],
      ],
    ],
    ['where one value ends and the next begins', [['a', 'bc']], [['ab', 'c']]],
    ['letters composed and not', [['é']], [['e\u0301']]],
    ['the last bit of a number', [[0.1]], [[0.1 + 2 ** -56]]],
  ])('distinguishes %s', (_, one, other) => {
    expect(isSameDigest(digestOf(...one), digestOf(...other))).toBe(false)
  })

  it('has at most 256 bits', () => {
    const many = Array.from({ length: 1000 }, (_, index): StoredRow => [String(index)])
    expect(digestOf(...many).sum).toBeLessThan(2n ** 256n)
  })
})
