import * as z from 'zod'
import { Invalid } from '../../../shared/errors.ts'
import { type ImportLine, isRefusedLine, type RefusedLine } from '../../../shared/import-line.ts'
import { importInput, trueOrFalse } from '../../../shared/input-schemas.ts'
import type { IdentityStorage } from '../../base-deps.ts'
import type { IdentityDeps } from '../../deps.ts'
import { UsersKeptByHost } from '../../user-model/errors.ts'
import { type CheckedLine, type CheckLineDeps, checkLine } from './check-line.ts'
import { type ExistingUsers, type LineResult, resultForExisting, storeBatch } from './store-batch.ts'

/**
 * Makes a function that returns what `storeBatch` would do with the batches of one file, and writes nothing. An email of an earlier
 * line of the file counts as existing.
 */
const batchTrial = ({ storage }: IdentityStorage) => {
  const seen = new Set<string>()
  return async (batch: readonly CheckedLine[], existing: ExistingUsers): Promise<readonly LineResult[]> => {
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

/** The input of an import of users. */
export interface ImportUsers {
  /** The lines; the value of each is a `UserLine`. A line that could not be parsed has a reason, and counts as refused. */
  readonly lines: AsyncIterable<ImportLine | RefusedLine> | Iterable<ImportLine | RefusedLine>
  /** `skip` by default. */
  readonly existing?: ExistingUsers | undefined
  /** Also takes hashes whose check takes long. Every login of such a user makes other imported users wait. */
  readonly acceptSlow?: boolean | undefined
  /** Checks everything and writes nothing. */
  readonly dryRun?: boolean | undefined
  /** Receives the result of each line, in the order of the file, as soon as the line is stored. */
  readonly onResult?: ((result: LineResult) => void) | undefined
}

/** The number of lines with each outcome. */
export type ImportedUsers = Readonly<Record<LineResult['outcome'], number>>

export const importUsersShape = {
  lines: importInput.lines,
  existing: z.enum(['skip', 'update'], { error: 'must be skip or update' }).optional(),
  acceptSlow: trueOrFalse.optional(),
  dryRun: trueOrFalse.optional(),
  onResult: importInput.onProgress,
}

/** The number of users that are stored in one transaction. Other writers wait no longer than this takes. */
const BATCH = 250

/**
 * Imports users from a file, with password hashes of another system, which the next login replaces. Each batch of lines is stored
 * in one transaction, without its bad lines. A second import of the same file changes nothing. Returns the number of lines with
 * each outcome.
 * @throws UsersKeptByHost if the host has a directory
 * @throws ConfirmationRequired for permissions, if the host gates grants; earlier batches are stored
 * @example const { created, refused } = await countersign.users.import({ lines, dryRun: true, onResult: console.log })
 */
export async function importUsers(deps: IdentityDeps, input: ImportUsers): Promise<ImportedUsers> {
  const { lines, existing = 'skip', acceptSlow = false, dryRun = false, onResult = () => {} } = input
  if (deps.users.areKeptByHost) throw new UsersKeptByHost()
  const tryBatch = dryRun ? batchTrial(deps) : undefined
  const counts = { created: 0, updated: 0, skipped: 0, refused: 0 }
  for await (const { batch, refused } of batches({ passwords: deps.passwords, acceptSlow }, lines)) {
    const stored = await (tryBatch?.(batch, existing) ?? storeBatch(deps, batch, existing))
    for (const result of [...stored, ...refused].sort((a, b) => a.line - b.line)) {
      counts[result.outcome] += 1
      onResult(result)
    }
  }
  return counts
}

/** Yields the checked lines in batches in which no email is there twice, each with the refused lines among them. */
async function* batches(deps: CheckLineDeps, lines: ImportUsers['lines']) {
  let batch = new Map<string, CheckedLine>()
  let refused: LineResult[] = []
  const take = () => {
    const taken = { batch: [...batch.values()], refused }
    batch = new Map()
    refused = []
    return taken
  }
  for await (const given of lines) {
    if (typeof given !== 'object' || given === null) throw new Invalid({ lines: 'must be objects with line and value' })
    const line = await checkLine(deps, given)
    if (isRefusedLine(line)) {
      refused.push({ ...line, outcome: 'refused' })
    } else {
      if (batch.has(line.user.email)) yield take()
      batch.set(line.user.email, line)
    }
    if (batch.size + refused.length >= BATCH) yield take()
  }
  if (batch.size + refused.length > 0) yield take()
}
