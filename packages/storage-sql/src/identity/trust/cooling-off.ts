import { boundText, type Device, type Instant } from '@countersign/core/storage'
import { countWritten, type Database } from '../../shared/database.ts'
import { recordChanges } from '../../shared/record-changes.ts'

/** Reports a change of trust of a user's devices and passkeys to every process. */
export const recordTrustChange = (tx: Database, userId: number, now: Instant): Promise<void> =>
  recordChanges(tx, [{ kind: 'user', subject: String(userId) }], now)

export const endMailboxMark = async (tx: Database, userId: number): Promise<void> => {
  await tx.write((db) =>
    db
      .updateTable('users')
      .set({ mailbox_mark_at: null, mailbox_mark_signer: 0 })
      .where('id', '=', userId)
      .where('mailbox_mark_at', 'is not', null),
  )
}

/**
 * Cancels the cooling-off periods and the mailbox mark of the user, because a device or passkey became trusted. If it is bound,
 * cancels only the periods with the same bound, because it vouches for no other. The caller has locked the row of the user, and
 * reports the change of trust.
 *
 * The column `cooling_off` distinguishes a cooling-off period from the trust of a device that another process, with a clock
 * slightly ahead, made trusted a moment ago.
 */
export const cancelCoolingOff = async (tx: Database, userId: number, tenants: string | null, now: Instant): Promise<number> => {
  if (tenants === null) await endMailboxMark(tx, userId)
  const cancelOf = (table: 'devices' | 'passkeys') =>
    countWritten(tx, (db) =>
      db
        .updateTable(table as 'devices')
        .set({ trusted_at: null, cooling_off: 0 })
        .where('user_id', '=', userId)
        .$if(table === 'devices', (query) => query.where('removed_at', 'is', null))
        .where('cooling_off', '=', 1)
        .where('trusted_at', '>', now)
        .$if(tenants !== null, (query) => query.where('tenants', '=', tenants)),
    )
  return (await cancelOf('devices')) + (await cancelOf('passkeys'))
}

/** Cancels the cooling-off periods of a user who registered a trusted device or passkey, and reports them. */
export const cancelCoolingOffOfOthers = async (
  tx: Database,
  added: Pick<Device, 'userId' | 'trustedAt' | 'tenants' | 'createdAt'>,
): Promise<void> => {
  const { userId, trustedAt, createdAt } = added
  if (trustedAt === null || trustedAt > createdAt) return
  if ((await cancelCoolingOff(tx, userId, boundText(added.tenants), createdAt)) > 0)
    await recordTrustChange(tx, userId, createdAt)
}

export const coolingOffFlag = ({ trustedAt, createdAt }: Pick<Device, 'trustedAt' | 'createdAt'>): 0 | 1 =>
  trustedAt !== null && trustedAt > createdAt ? 1 : 0
