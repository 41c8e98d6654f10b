import type { DataSnapshot, StoredTable } from '@countersign/core/storage'
import { describe, expect, it } from 'vitest'
import { readBatches } from './batches.ts'

const table: StoredTable = {
  name: 'notes',
  columns: [
    { name: 'id', kind: 'integer' },
    { name: 'text', kind: 'text' },
  ],
  key: ['id'],
  counted: undefined,
}

/** Returns a fake table with this many rows and texts of this length. `sizes` records the requested batch sizes. */
const given = (count: number, length: number) => {
  const sizes: number[] = []
  const text = 'x'.repeat(length)
  const snapshot: Pick<DataSnapshot, 'rowsAfter'> = {
    rowsAfter: async (_, key, limit) => {
      sizes.push(limit)
      const from = key === undefined ? 0 : Number(key[0])
      return Array.from({ length: Math.min(limit, count - from) }, (_, index) => [String(from + index + 1), text])
    },
  }
  const read = async () => {
    const ids: string[] = []
    for await (const rows of readBatches(snapshot as DataSnapshot, table)) ids.push(...rows.map(([id]) => String(id)))
    return ids
  }
  return { sizes, read }
}

describe('reading the rows of a table in batches', () => {
  it('returns each row once, in key order', async () => {
    const { read } = given(12_345, 10)
    expect(await read()).toStrictEqual(Array.from({ length: 12_345 }, (_, index) => String(index + 1)))
  })

  it('makes batches larger while rows are short, up to a limit', async () => {
    const { read, sizes } = given(20_000, 10)
    await read()
    expect(sizes.slice(0, 4)).toStrictEqual([100, 400, 1600, 2000])
    expect(Math.max(...sizes)).toBe(2000)
  })

  it('limits the length of batches when rows are long', async () => {
    const { read, sizes } = given(150, 1_000_000)
    await read()
    expect(Math.max(...sizes.slice(1))).toBeLessThanOrEqual(4)
  })
})
