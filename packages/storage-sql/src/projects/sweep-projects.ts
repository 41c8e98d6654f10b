import { deleting, SWEEP_BATCH, type SweepStep } from '../shared/sweep.ts'

/** Longer than any import takes, in milliseconds. */
const STAGED_KEPT = 24 * 3_600_000

/** Deletes the rows of imports whose process ended before it could delete them. */
const sweepStagedResources = deleting((db, now) =>
  db.deleteFrom('staged_resources').where((the) =>
    the(
      the.refTuple('import_id', 'type', 'external_id'),
      'in',
      the
        .selectFrom('staged_resources')
        .select(['import_id', 'type', 'external_id'])
        .where('staged_at', '<', now - STAGED_KEPT)
        .limit(SWEEP_BATCH)
        .$asTuple('import_id', 'type', 'external_id'),
    ),
  ),
)

const sweepStagedExpenses = deleting((db, now) =>
  db.deleteFrom('staged_expenses').where((the) =>
    the(
      the.refTuple('import_id', 'external_id'),
      'in',
      the
        .selectFrom('staged_expenses')
        .select(['import_id', 'external_id'])
        .where('staged_at', '<', now - STAGED_KEPT)
        .limit(SWEEP_BATCH)
        .$asTuple('import_id', 'external_id'),
    ),
  ),
)

/** The steps that sweep the tables of projects. */
export const projectSweep: readonly SweepStep[] = [sweepStagedResources, sweepStagedExpenses]
