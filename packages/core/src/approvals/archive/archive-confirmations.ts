import { hostChosenName } from '@countersign/contract'
import * as z from 'zod'
import { days, type Instant } from '../../shared/clock.ts'
import { Invalid } from '../../shared/errors.ts'
import { aFunction } from '../../shared/input-schemas.ts'
import type { ApprovalDeps } from '../deps.ts'
import { usableFor } from '../options.ts'
import type { Confirmation, FinishedQuery } from '../records/confirmation.ts'
import { type ArchivedConfirmation, toArchived } from './archived-confirmation.ts'

const BATCH = 200

/** The confirmations to archive: those that were created before a time and are finished. */
export interface Archivable extends Pick<FinishedQuery, 'tenant'> {
  /** At least a day ago, and before every approval that can still be consumed. */
  readonly before: Instant
}

export interface ArchiveConfirmations extends Archivable {
  /** Writes confirmations to the archive. Resolves once they are durable: only then are they deleted. */
  readonly write: (confirmations: readonly ArchivedConfirmation[]) => Promise<void>
  /** Is called after each step with the number of archived confirmations so far. */
  readonly onProgress?: ((archived: number) => void) | undefined
}

const instant = z.int({ error: 'must be whole milliseconds since 1970' })

export const countArchivableShape = { before: instant, tenant: hostChosenName.optional() }
export const archiveShape = { ...countArchivableShape, write: aFunction, onProgress: aFunction.optional() }

/**
 * Counts the confirmations that `confirmations.archive` would write. @throws Invalid
 * @example const count = await countersign.confirmations.countArchivable({ before: Date.parse('2026-01-01') })
 */
export async function countArchivable(deps: ApprovalDeps, input: Archivable): Promise<number> {
  return deps.storage.confirmations.countFinished(checkedQuery(deps, input))
}

/**
 * Hands finished confirmations over to `write`, oldest first, and deletes each step once it is written. So after an interruption
 * a confirmation may be in two archives, and never in none. Returns the number of deleted confirmations.
 * @throws Invalid, ReceiptsNotConfigured, ReceiptsUnavailable, FieldNotOpened, and what `write` throws
 * @example const archived = await countersign.confirmations.archive({ before: Date.parse('2026-01-01'), write })
 */
export async function archiveConfirmations(
  deps: ApprovalDeps,
  { write, onProgress, ...input }: ArchiveConfirmations,
): Promise<number> {
  const query = checkedQuery(deps, input)
  const { confirmations } = deps.storage
  let archived = 0
  let after: Confirmation | undefined
  for (;;) {
    const page = await confirmations.finished({ ...query, after, limit: BATCH })
    after = page.at(-1)
    if (after === undefined) return archived
    await write(await Promise.all(page.map((confirmation) => toArchived(deps, confirmation, query.now))))
    archived += await confirmations.deleteFinished(
      page.map(({ id }) => id),
      query,
    )
    onProgress?.(archived)
  }
}

const checkedQuery = ({ clock, options }: ApprovalDeps, { before, tenant }: Archivable): FinishedQuery => {
  const now = clock.now()
  if (before > now - Math.max(days(1), usableFor(options)))
    throw new Invalid({ before: 'must be at least a day ago, and before every approval that can still be used' })
  return { before, tenant, now }
}
