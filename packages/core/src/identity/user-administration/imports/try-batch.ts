import type { IdentityStorage } from '../../base-deps.ts'
import type { CheckedLine } from './check-line.ts'
import { type ExistingUsers, type LineResult, resultForExisting } from './store-batch.ts'

/** Returns what `storeBatch` would do, and writes nothing. */
export type TryBatch = (batch: readonly CheckedLine[], existing: ExistingUsers) => Promise<readonly LineResult[]>

/**
 * Makes a function that tries the batches of one file. An email of an earlier line counts as existing, so the emails of the whole
 * file are remembered.
 */
export const batchTrial = ({ storage }: IdentityStorage): TryBatch => {
  const seen = new Set<string>()
  return async (batch, existing) => {
    const known = await storage.users.list({ emails: batch.map(({ user }) => user.email), limit: 500 })
    const byEmail = new Map(known.map((user) => [user.email, user]))
    return batch.map((line): LineResult => {
      const { email } = line.user
      const user = byEmail.get(email)
      const isRepeated = seen.has(email)
      seen.add(email)
      if (user !== undefined) {
        const { change: _, ...result } = resultForExisting(user, line, existing)
        return result
      }
      const outcome = !isRepeated ? 'created' : existing === 'update' ? 'updated' : 'skipped'
      return { line: line.line, outcome }
    })
  }
}
