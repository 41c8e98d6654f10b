import type { IdentityDeps } from '../deps.ts'
import { type OpenedRegistration, openRegistration } from '../devices/sealed-registration.ts'
import { type BoundToTenants, isWithin } from '../records/bound.ts'
import type { Delegation } from '../records/delegation.ts'
import type { PagedDevice } from '../records/device.ts'
import type { OneTimeCode } from '../records/one-time-code.ts'
import type { Passkey, RemovedPasskey } from '../records/passkey.ts'
import { toProfile, type UserProfile } from '../records/user.ts'
import { type SessionProfile, toExportedSession } from '../sessions/session-profile.ts'
import { partsOfPermission, permissionsIn } from '../user-model/permissions.ts'
import { type ByEmail, requireUser } from '../user-model/require-user.ts'

/** A device of an export. The push token is left out, because it is a secret of the push service. */
export interface ExportedDevice extends Omit<PagedDevice, 'pushToken'> {
  readonly hasPushToken: boolean
  /** The proof of possession that the device gave; `null` if none is stored. */
  readonly registration: OpenedRegistration | null
}

/** A passkey of an export. The push token is left out, as that of a device. */
export interface ExportedPasskey extends Passkey {
  readonly hasPushToken: boolean
}

/** Everything that is kept about a person, with encrypted fields decrypted. Times are milliseconds since 1970. */
export interface UserExport {
  readonly user: UserProfile
  /** The sessions, newest first. An ended or expired session is kept for a day. */
  readonly sessions: readonly SessionProfile[]
  /** The active devices, oldest first, and then the removed devices that are still stored. */
  readonly devices: readonly ExportedDevice[]
  readonly passkeys: readonly ExportedPasskey[]
  /** The keys of removed passkeys that are still kept, first removed first. */
  readonly removedPasskeys: readonly RemovedPasskey[]
  /** The permissions that the person lends or has borrowed, by the ids of the users. */
  readonly delegations: readonly Delegation[]
  /** The codes that wait for their use, oldest first. */
  readonly oneTimeCodes: readonly Omit<OneTimeCode, 'userId' | 'hash'>[]
  /** The data of other parts, by kind: `confirmations`, own `approvalRequests`, and `projects` if the storage has them. */
  readonly [other: string]: unknown
}

/**
 * Returns everything that is stored about a person; with a tenant, only the approvals and permissions in it, no projects, and
 * nothing that is bound to other tenants. Hashes, tokens and codes are left out: an export may get into wrong hands.
 * @throws UserNotFound, FieldNotOpened
 * @example const data = await countersign.users.export({ email: 'ada@example.com' })
 */
export async function exportUser(
  deps: IdentityDeps,
  input: ByEmail & { readonly tenant?: string | undefined },
): Promise<UserExport> {
  const { email, tenant } = input
  const { storage, clock, dataOfOtherParts } = deps
  const user = await requireUser(deps, email)
  const permissions = tenant === undefined ? user.permissions : permissionsIn(user.permissions, tenant)
  const isOf = ({ tenants }: BoundToTenants): boolean => tenant === undefined || isWithin(tenants, tenant)
  const sessions = (await storage.sessions.ofUser(user.id)).filter(isOf)
  const active = await storage.devices.allOfUser(user.id)
  const removed = await storage.devices.removedOfUser(user.id)
  const devices = [...active.map((device) => ({ ...device, removedAt: null })), ...removed].filter(isOf)
  const notified = new Set((await storage.passkeys.pushTokensOf(user.id)).map(({ passkeyId }) => passkeyId))
  const codes = await storage.oneTimeCodes.allOfUser(user.id)
  return {
    ...(await dataOfOtherParts.export(user.id, tenant)),
    user: toProfile({ ...user, permissions }),
    sessions: sessions.map((session) => toExportedSession(deps, session)),
    devices: await Promise.all(devices.map((device) => exportDevice(deps, device))),
    passkeys: (await storage.passkeys.allOfUser(user.id))
      .filter(isOf)
      .map((one) => ({ ...one, hasPushToken: notified.has(one.id) })),
    removedPasskeys: await storage.passkeys.removedOfUser(user.id),
    delegations: (await storage.delegations.running({ userId: user.id }, clock.now())).filter(
      ({ permission }) => tenant === undefined || partsOfPermission(permission).tenant === tenant,
    ),
    oneTimeCodes: codes.map(({ kind, createdAt, expiresAt }) => ({ kind, createdAt, expiresAt })),
  }
}

const exportDevice = async (deps: IdentityDeps, { pushToken, ...device }: PagedDevice): Promise<ExportedDevice> => {
  const evidence = await deps.storage.devices.evidenceOf(device.userId, device.id)
  const registration = evidence === undefined ? null : openRegistration(deps, evidence)
  return { ...device, hasPushToken: pushToken !== null, registration }
}
