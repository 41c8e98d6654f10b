import * as z from 'zod'
import { type ListedConfirmation, listAllConfirmations } from '../approvals/confirmations/list-all-confirmations.ts'
import type { ApprovalDeps } from '../approvals/deps.ts'
import { usableFor } from '../approvals/options.ts'
import { isYoungEnough } from '../approvals/records/confirmation.ts'
import type { ServiceToken } from '../identity/records/service-token.ts'
import { listServiceTokens } from '../identity/service-tokens/manage-service-tokens.ts'
import type { ShapedInput } from '../shared/bind-use-cases.ts'
import type { Instant } from '../shared/clock.ts'
import { Invalid } from '../shared/errors.ts'
import { trueOrFalse } from '../shared/input-schemas.ts'
import type { RecoveredRows, Storage } from '../storage.ts'
import { requireNoServer } from './require-no-server.ts'

export const recoverAfterRestoreShape = {
  /** The time of the last event that the restored database contains, or an earlier time. */
  since: z.int({ error: 'must be milliseconds since 1970' }),
  /** Voids nothing, and returns what would be voided. */
  dryRun: trueOrFalse.optional(),
  /** Works although a server was seen on the database in the last minute. Only for a host that knows which database this is. */
  whileServersRun: trueOrFalse.optional(),
}

/** A restored backup: everything after `since` is missing in the database. */
export interface RecoverAfterRestore extends ShapedInput<typeof recoverAfterRestoreShape> {}

/** The things that were voided, or would be, and those that the host must compare with its own records. */
export interface Recovery {
  readonly voided: RecoveredRows
  /** The confirmations that were usable at `since`, newest first. A consumer may have acted on each of them meanwhile. */
  readonly confirmations: readonly ListedConfirmation[]
  /** The service tokens that are valid now. Each token may have been revoked after `since`. */
  readonly serviceTokens: readonly ServiceToken[]
}

interface Deps extends Pick<ApprovalDeps, 'clock' | 'options' | 'logger'> {
  readonly storage: Storage
}

const PAGE = 1000

/**
 * Voids everything in a restored database that somebody may have used after the backup, and could use again: sessions, pending
 * confirmations, unconsumed approvals, open approval requests, one-time codes and challenges. Also returns what only the host can
 * compare. Refuses a database on which a server was seen in the last minute, except for a dry run.
 * @throws Invalid for a time in the future, ServersRunning
 * @example const recovery = await countersign.recoverAfterRestore({ since: Date.parse('2026-11-27T09:30:00Z'), dryRun: true })
 */
export async function recoverAfterRestore(deps: Deps, input: RecoverAfterRestore): Promise<Recovery> {
  const { since, dryRun = false, whileServersRun = dryRun } = input
  const { storage, clock, options, logger } = deps
  const now = clock.now()
  if (since > now) throw new Invalid({ since: 'must not be in the future' })
  if (!whileServersRun) await requireNoServer(storage, clock)
  const confirmations = await usableAt(deps, since)
  const tokens = await listServiceTokens(deps)
  const times = { now, createdSince: since - usableFor(options) }
  const voided = await (dryRun ? storage.recoverable(times) : storage.recover(times))
  if (!dryRun) logger.warn('recovered_after_restore', { since, ...voided })
  return {
    voided,
    confirmations,
    serviceTokens: tokens.filter(({ revokedAt, expiresAt }) => revokedAt === null && now < expiresAt),
  }
}

/** Returns the confirmations that somebody could approve, consume or redeem at `since`, newest first. */
const usableAt = async (deps: Deps, since: Instant): Promise<readonly ListedConfirmation[]> => {
  const { approvalMaxAge, approvalRequestLifetime } = deps.options
  const created = since - Math.max(usableFor(deps.options), approvalRequestLifetime)
  const wasUsable = (one: ListedConfirmation): boolean => {
    if (one.consumedAt !== null || one.voidedAt !== null || one.withdrawnAt !== null || one.status === 'rejected') return false
    if (one.status !== 'approved') return one.expiresAt > since
    return isYoungEnough(one, one.approvedAt ?? since, approvalMaxAge, since)
  }
  const found: ListedConfirmation[] = []
  let after: string | null | undefined
  while (after !== null) {
    const page = await listAllConfirmations(deps, { since: created, after, limit: PAGE })
    found.push(...page.items.filter(wasUsable))
    after = page.next
  }
  return found
}
