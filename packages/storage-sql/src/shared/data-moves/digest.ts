import { hash } from 'node:crypto'
import type { StoredRow } from '@countersign/core/types'

/** The digest of a table: the number of rows and the sum of their hashes. The order of the rows does not matter. */
export interface Digest {
  readonly rows: number
  /** The sum of the rows' SHA-256 hashes, modulo 2^256. */
  readonly sum: bigint
}

export const emptyDigest: Digest = { rows: 0, sum: 0n }

/** Adds rows to a digest. A row is hashed as JSON of its values, in the order of the column names, so all databases agree. */
export const addRows = ({ rows, sum }: Digest, added: readonly StoredRow[]): Digest => ({
  rows: rows + added.length,
  sum: BigInt.asUintN(
    256,
    added.reduce((total, row) => total + BigInt(`0x${hash('sha256', JSON.stringify(row))}`), sum),
  ),
})

export const isSameDigest = (one: Digest, other: Digest): boolean => one.rows === other.rows && one.sum === other.sum
