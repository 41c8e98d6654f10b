import type { Instant, UserStore } from '@countersign/core/storage'
import { countWritten, type Database } from '../../shared/database.ts'
import { recordChanges } from '../../shared/record-changes.ts'
import { withoutPushToken } from '../devices/active-devices.ts'
import { endWhere } from '../sessions/sessions-store.ts'
import { changeHolder } from './permission-holders.ts'

/** The personal data of an erased user. The address is unique, and cannot exist (RFC 2606 §2). */
const erased = (id: number) => ({
  directory_id: null,
  email: `erased-${id}@users.invalid`,
  name: '',
  folded_name: '',
  employee_id: '',
  employee_name: '',
  employee_avatar_file_id: '',
  department_id: '',
  department_name: '',
  permissions: '[]',
  password_hash: null,
})

const eraseProfile = (tx: Database, id: number, now: Instant) =>
  tx.write((db) =>
    db
      .updateTable('users')
      .set((the) => ({
        ...erased(id),
        disabled_at: the.fn.coalesce('disabled_at', the.val(now)),
        erased_at: now,
        version: the('version', '+', 1),
        updated_at: now,
      }))
      .where('id', '=', id)
      .where('erased_at', 'is', null)
      .returning(['id', 'permissions', 'disabled_at', 'locked_at']),
  )

/** Ends the live sessions, and erases the clients of all. Returns the number of live sessions. */
const eraseSessions = async (tx: Database, userId: number, now: Instant): Promise<number> => {
  const ended = await endWhere(tx, { user_id: userId }, 'user_deleted', now)
  // Recently ended sessions are few, and found by the index of the sweep. No live session is left.
  await tx.write((db) =>
    db.updateTable('sessions').set({ opened_from: null }).where('user_id', '=', userId).where('ended_at', 'is not', null),
  )
  return ended.length
}

/** Erases the devices and the evidence of their registrations. Returns the number of active devices. */
const eraseDevices = async (tx: Database, userId: number, now: Instant): Promise<number> => {
  const blank = { name: '', fingerprint: '', ...withoutPushToken, updated_at: now }
  // Active and removed devices have separate indexes.
  const counts = { removed: 0, active: 0 }
  for (const [which, isRemoved] of [
    ['removed', 'is not'],
    ['active', 'is'],
  ] as const) {
    await tx.write((db) =>
      db
        .deleteFrom('device_registrations')
        .where('id', 'in', (the) =>
          the.selectFrom('devices').select('devices.id').where('user_id', '=', userId).where('removed_at', isRemoved, null),
        ),
    )
    counts[which] = await countWritten(tx, (db) =>
      db
        .updateTable('devices')
        .set({ ...blank, ...(which === 'active' && { removed_at: now }) })
        .where('user_id', '=', userId)
        .where('removed_at', isRemoved, null),
    )
  }
  return counts.active
}

export const eraseUser = (database: Database, id: number, now: Instant): ReturnType<UserStore['erase']> =>
  database.transaction(async (tx) => {
    const [row] = await eraseProfile(tx, id, now)
    if (row === undefined) return undefined
    await changeHolder(tx, row)
    const sessions = await eraseSessions(tx, id, now)
    for (const table of ['one_time_codes', 'challenges', 'user_handles', 'removed_passkeys', 'passkey_push_tokens'] as const) {
      await tx.write((db) => db.deleteFrom(table).where('user_id', '=', id))
    }
    await tx.write((db) =>
      db.deleteFrom('delegations').where((the) => the.or([the('from_user', '=', id), the('to_user', '=', id)])),
    )
    const devices = await eraseDevices(tx, id, now)
    const passkeys = await countWritten(tx, (db) => db.deleteFrom('passkeys').where('user_id', '=', id))
    await recordChanges(tx, [{ kind: 'user', subject: String(id) }], now)
    return { sessions, devices, passkeys }
  })
