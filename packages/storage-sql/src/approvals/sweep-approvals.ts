import type { ExpressionBuilder } from 'kysely'
import { none } from '../shared/database.ts'
import { deletingRecords, deletingTogether, type SweepStep } from '../shared/sweep.ts'
import type { Tables } from '../tables/index.ts'
import { finishedApprovals, finishedRefusals } from './confirmations/finished-confirmations.ts'
import { literal } from './confirmations/pending-confirmations.ts'

const redeemed = literal('redeemed')

/** A vouching outlives its confirmation: without the vouching, a service could use the approval of a vouching. */
const hasNoConfirmation = (the: ExpressionBuilder<Tables, 'vouchings'>) =>
  none(the.selectFrom('confirmations').select('confirmations.id').whereRef('confirmations.id', '=', 'vouchings.confirmation_id'))

export const hasNoSubject = (the: ExpressionBuilder<Tables, 'vouchings'>) =>
  the.and([
    none(
      the
        .selectFrom('devices')
        .select('devices.id')
        .whereRef('devices.id', '=', 'vouchings.subject_id')
        .where('devices.removed_at', 'is', null),
    ),
    none(
      the
        .selectFrom('passkeys')
        .select('passkeys.id')
        .whereRef('passkeys.user_id', '=', 'vouchings.user_id')
        .whereRef('passkeys.id', '=', 'vouchings.subject_id'),
    ),
  ])

/** A vote is deleted together with its request, because its receipt needs the words that the request keeps. */
const hasNoVote = (the: ExpressionBuilder<Tables, 'approval_requests'>) =>
  none(
    the
      .selectFrom('confirmations')
      .select('confirmations.id')
      .whereRef('confirmations.approval_id', '=', 'approval_requests.id')
      .where('confirmations.status', '=', literal('approved')),
  )

/** The steps that sweep the tables of approvals, and the devices whose approvals no longer need them. */
export const approvalSweep: readonly SweepStep[] = [
  deletingRecords({ kind: 'confirmations', retention: 'approvals' }, 'confirmations', ['id'], finishedApprovals),
  deletingRecords({ kind: 'confirmations', retention: 'refusals' }, 'confirmations', ['id'], finishedRefusals),
  deletingRecords({ kind: 'approvalRequests', retention: 'approvals' }, 'approval_requests', ['id'], (the, before) =>
    the.and([the('status', '=', redeemed), the('created_at', '<', before)]),
  ),
  deletingRecords({ kind: 'approvalRequests', retention: 'refusals' }, 'approval_requests', ['id'], (the, before, now) =>
    the.and([
      the('status', '!=', redeemed),
      the('created_at', '<', before),
      hasNoVote(the),
      the.or([the('status', '!=', 'pending'), the('expires_at', '<=', now)]),
    ]),
  ),
  deletingRecords({ kind: 'vouchings', retention: 'approvals' }, 'vouchings', ['user_id', 'kind', 'subject_id'], (the, before) =>
    the.and([the('vouchings.created_at', '<', before), hasNoConfirmation(the), hasNoSubject(the)]),
  ),
  deletingRecords({ kind: 'removedPasskeys', retention: 'approvals' }, 'removed_passkeys', ['user_id', 'spki'], (the, before) =>
    the('removed_at', '<', before),
  ),
  // A removed device and the proof of its key stay as long as approvals, because they show who approved.
  deletingTogether({
    kind: 'removedDevices',
    retention: 'approvals',
    select: (db, before) => db.selectFrom('devices').select('id').where('removed_at', '<', before),
    delete: async (tx, ids) => {
      await tx.write((db) => db.deleteFrom('device_registrations').where('id', 'in', ids))
      await tx.write((db) => db.deleteFrom('devices').where('id', 'in', ids))
    },
  }),
]
