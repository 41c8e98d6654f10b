import type { ServiceToken, SessionStatus } from '@countersign/core/storage'
import { type Database, readFirst } from '../../shared/database.ts'
import { preparedQuery } from '../../shared/prepared-query.ts'
import { recordMapping } from '../../shared/record-mapping.ts'
import { serviceTokenColumns, toServiceToken } from '../service-tokens/service-token-row.ts'
import { membershipColumns, toDepartment, toEmployee } from '../users/user-row.ts'

/** Reads the current status of sessions and service tokens; see `sessions.status` and `serviceTokens.status`. */
export interface SessionStatusReader {
  session(id: string): Promise<SessionStatus | undefined>
  serviceToken(id: string): Promise<ServiceToken | undefined>
}

const userMapping = recordMapping('users', 'directoryId email permissions:texts')
const sessionMapping = recordMapping(
  'sessions',
  'userId kind authMethod deviceId passkeyId tenants:bound userVerified:flag rememberMe:flag createdAt',
)

const ofSession = preparedQuery((db, { id }: { readonly id: string }) =>
  db
    .selectFrom('sessions')
    .innerJoin('users', 'users.id', 'sessions.user_id')
    .leftJoin('devices', (join) => join.onRef('devices.id', '=', 'sessions.device_id').on('devices.removed_at', 'is', null))
    .leftJoin('passkeys', (join) =>
      join.onRef('passkeys.user_id', '=', 'sessions.user_id').onRef('passkeys.id', '=', 'sessions.passkey_id'),
    )
    .select([...userMapping.columns, ...membershipColumns].map((column) => `users.${column}` as const))
    .select(sessionMapping.columns.map((column) => `sessions.${column}` as const))
    .select(['devices.trusted_at as device_trusted_at', 'passkeys.trusted_at as passkey_trusted_at'])
    .where('sessions.id', '=', id)
    .where('sessions.ended_at', 'is', null)
    .where('users.disabled_at', 'is', null)
    .where('users.locked_at', 'is', null),
)

/** Reads the status from the database at each call, in one statement. */
export const readSessionStatus = (database: Database): SessionStatusReader => ({
  session: async (id) => {
    const row = await ofSession.first(database, { id })
    return (
      row && {
        ...sessionMapping.toRecord(row),
        ...userMapping.toRecord(row),
        employee: toEmployee(row),
        department: toDepartment(row),
        trustedAt: row.device_trusted_at ?? row.passkey_trusted_at,
      }
    )
  },

  serviceToken: (id) =>
    readFirst(database, toServiceToken, (db) =>
      db.selectFrom('service_tokens').select(serviceTokenColumns).where('id', '=', id).where('revoked_at', 'is', null),
    ),
})
