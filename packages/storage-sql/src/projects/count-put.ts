import type { ImportCounts } from '@countersign/core'

/** Tells new rows from replaced ones: a replaced row keeps the id that it had. */
export const countPut = (given: readonly { readonly id: string }[], stored: readonly { readonly id: string }[]): ImportCounts => {
  const offered = new Set(given.map(({ id }) => id))
  const imported = stored.filter(({ id }) => offered.has(id)).length
  return { imported, updated: stored.length - imported }
}
