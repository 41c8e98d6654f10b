import { hash } from 'node:crypto'
import type { StoredRow } from '@countersign/core/storage'

/** What tells two tables apart: how many rows, and the sum of their digests, in whatever order they came. */
export interface Digest {
  readonly rows: number
  /** Of the rows' SHA-256, each read as a number, modulo 2^256. */
  readonly sum: bigint
}

export const emptyDigest: Digest = { rows: 0, sum: 0n }

/** A row has one text, whatever database it comes from: its values as JSON, in the order of the columns' names. */
export const addRows = ({ rows, sum }: Digest, added: readonly StoredRow[]): Digest => ({
  rows: rows + added.length,
  sum: BigInt.asUintN(
    256,
    added.reduce((total, row) => total + BigInt(`0x${hash('sha256', JSON.stringify(row))}`), sum),
  ),
})

export const isSameDigest = (one: Digest, other: Digest): boolean => one.rows === other.rows && one.sum === other.sum
