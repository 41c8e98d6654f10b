import { type Approval, type ApprovalOutcome, boundText, type Confirmation } from '@countersign/core/storage'
import { type Kysely, type SelectQueryBuilder, sql } from 'kysely'
import { reachesConfirmation } from '../../identity/bound.ts'
import { active, useDevice } from '../../identity/devices/active-devices.ts'
import { counterRises, lockPasskey } from '../../identity/passkeys-store.ts'
import { findLiveSession, liveSession, lockLiveSession } from '../../identity/sessions/live-session.ts'
import { type Database, finds } from '../../shared/database.ts'
import { preparedQuery, rowOf } from '../../shared/prepared-query.ts'
import type { Tables } from '../../tables/index.ts'
import { isFreshKey, lockRequestOf } from './approval-keys.ts'
import { evidenceColumns, fromEvidence } from './confirmation-row.ts'
import { pendingOfUser, updatePending } from './pending-confirmations.ts'

type Approving = Pick<Approval, 'id' | 'userId' | 'sessionId' | 'now'>

type ApprovalRow = Approving &
  ReturnType<typeof fromEvidence> & { readonly deviceId: string | null; readonly passkeyId: string | null }

/**
 * Approves in a live session, if the signer is still trusted, and the bounds of both reach the confirmation. Both rows are locked
 * first, so neither changes until the commit. In an approval request, the key must have approved nothing before, and not be the
 * requester's. The request is locked too.
 */
const approveBy = (
  db: Kysely<Tables>,
  approval: ApprovalRow,
  trustedSigner: SelectQueryBuilder<Tables, 'devices' | 'passkeys', unknown>,
) =>
  updatePending(db, approval.userId, approval.id, approval.now)
    .where((the) => the.exists(trustedSigner.where(reachesConfirmation(sql.ref('tenants')))))
    .where((the) => the.exists(liveSession(db, approval).where(reachesConfirmation(sql.ref('sessions.tenants')))))
    .where((the) => isFreshKey(the, approval))
    .set({
      status: sql.lit<Confirmation['status']>('approved'),
      device_id: approval.deviceId,
      passkey_id: approval.passkeyId,
      updated_at: approval.now,
      ...rowOf(approval, evidenceColumns),
    })

interface ByDevice extends ApprovalRow {
  readonly deviceId: string
}

const trustedDevice = (db: Kysely<Tables>, { deviceId, userId, now }: Pick<ByDevice, 'deviceId' | 'userId' | 'now'>) =>
  active(db).select(['id', 'tenants']).where('id', '=', deviceId).where('user_id', '=', userId).where('trusted_at', '<=', now)

const approveByDevice = preparedQuery((db, approval: ByDevice) => approveBy(db, approval, trustedDevice(db, approval)))

interface ByPasskey extends ApprovalRow {
  readonly passkeyId: string
  readonly signCount: number
}

const approveByPasskey = preparedQuery((db, approval: ByPasskey) => {
  const { passkeyId, userId, now, signCount } = approval
  const passkey = db
    .selectFrom('passkeys')
    .select('id')
    .where('id', '=', passkeyId)
    .where('user_id', '=', userId)
    .where('trusted_at', '<=', now)
    .where((the) => counterRises(the, signCount))
  return approveBy(db, approval, passkey)
})

/** Records the use of the passkey, if this approval was stored. */
const useOfApproval = preparedQuery((db, given: ByPasskey & { readonly backedUp: 0 | 1 }) =>
  db
    .updateTable('passkeys')
    .set({ sign_count: given.signCount, backed_up: given.backedUp, last_used_at: given.now })
    .where('user_id', '=', given.userId)
    .where('id', '=', given.passkeyId)
    .where((the) => counterRises(the, given.signCount))
    .where((the) =>
      the.exists(
        the
          .selectFrom('confirmations')
          .select('confirmations.id')
          .where('confirmations.id', '=', given.id)
          .where('confirmations.passkey_id', '=', given.passkeyId)
          .where('confirmations.signature', '=', given.signature),
      ),
    ),
)

/** The confirmation, if the bound of the session reaches it. */
const reachedInSession = preparedQuery((db, approval: Approving) =>
  liveSession(db, approval)
    .innerJoin('confirmations', (join) => join.on('confirmations.id', '=', approval.id))
    .where(reachesConfirmation(sql.ref('sessions.tenants'))),
)

const isReached = async (database: Database, approval: Approving, signer: string | null): Promise<boolean> =>
  (await reachedInSession.finds(database, approval)) &&
  (await finds(database, (db) =>
    db.selectFrom('confirmations').select('id').where('id', '=', approval.id).where(reachesConfirmation(signer)),
  ))

const stillPending = preparedQuery((db, { userId, id, now }: Pick<Approval, 'userId' | 'id' | 'now'>) =>
  pendingOfUser(db, userId, now).select('id').where('id', '=', id),
)

const byDevice = async (database: Database, row: ByDevice): Promise<ApprovalOutcome> => {
  // Locks the user and the session before the device, in the order in which removing a device does, so that they cannot deadlock.
  const [, used, , count = 0] = await database.batch([
    lockLiveSession.statement(row),
    useDevice.statement(row),
    lockRequestOf.statement(row),
    approveByDevice.statement(row),
  ])
  if (count > 0) return 'approved'
  if (!(await findLiveSession.finds(database, row))) return 'session_ended'
  if (used === 0) return 'device_removed'
  const device = await database.read((db) => trustedDevice(db, row).executeTakeFirst())
  if (device === undefined || !(await isReached(database, row, device.tenants))) return 'not_trusted'
  return (await stillPending.finds(database, row)) ? 'same_key' : 'not_pending'
}

const byPasskey = async (database: Database, row: ByPasskey & { readonly backedUp: 0 | 1 }): Promise<ApprovalOutcome> => {
  const passkey = { userId: row.userId, id: row.passkeyId }
  const [, , , count = 0] = await database.batch([
    lockLiveSession.statement(row),
    lockPasskey.statement(passkey),
    lockRequestOf.statement(row),
    approveByPasskey.statement(row),
    useOfApproval.statement(row),
  ])
  if (count > 0) return 'approved'
  if (!(await findLiveSession.finds(database, row))) return 'session_ended'
  const found = await lockPasskey.first(database, passkey)
  if (found === undefined) return 'passkey_removed'
  const { trustedAt, tenants, signCount } = found
  if (trustedAt === null || trustedAt > row.now || !(await isReached(database, row, boundText(tenants)))) return 'not_trusted'
  if (!(await stillPending.finds(database, row))) return 'not_pending'
  const rises = row.signCount === 0 ? signCount === 0 : signCount < row.signCount
  return rises ? 'same_key' : 'counter'
}

export const approve = (database: Database, { evidence, ...approved }: Approval): Promise<ApprovalOutcome> => {
  const row = { ...approved, ...fromEvidence(evidence) }
  if ('deviceId' in approved) return byDevice(database, { ...row, deviceId: approved.deviceId, passkeyId: null })
  const { id: passkeyId, signCount, backedUp } = approved.passkey
  return byPasskey(database, { ...row, deviceId: null, passkeyId, signCount, backedUp: backedUp ? 1 : 0 })
}
