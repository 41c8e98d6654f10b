import type { TrustLevel } from '@countersign/contract'
import { InvalidAccessToken } from '../authentication/errors.ts'
import type { IdentityDeps } from '../deps.ts'
import { isTrusted, trustLevelOf } from '../records/trust.ts'
import { initialTrust } from '../trust/initial-trust.ts'
import { needsPasskey } from '../trust/needs-passkey.ts'
import { type ListedTenants, listedTenants, permissionsIn } from '../user-model/permissions.ts'
import type { InSession } from './bound-of-caller.ts'
import type { OwnSession } from './own-sessions.ts'
import { toSessionProfile } from './session-profile.ts'

/** The user of a session, and what the session may do now. */
export interface OwnAccount {
  readonly user: {
    readonly id: number
    readonly email: string
    readonly name: string
    /** The permissions that hold everywhere; none for a session that is bound to tenants. */
    readonly permissions: readonly string[]
  } & ListedTenants
  readonly session: OwnSession
  readonly trust: TrustLevel
  readonly can: {
    /** True if a signature of this session counts now. */
    readonly approve: boolean
    /** True if a device that this session registers now is trusted at once. */
    readonly enrol: boolean
    /** True if the user can add a passkey (see `passkeysPerUser`). */
    readonly passkeys: boolean
    /** True if this session can change the password of the user here. */
    readonly password: boolean
  }
}

/**
 * Returns the user of the caller's session, the session, and what it may do now. @throws InvalidAccessToken if it has ended
 * @example const { user, can } = await countersign.account.me({ caller })
 */
export async function readOwnAccount(deps: IdentityDeps, { caller: { userId, sessionId } }: InSession): Promise<OwnAccount> {
  const { storage, users, clock, options } = deps
  const now = clock.now()
  const rememberedSince = now - options.trustedDeviceMemory
  const [status, session, user, facts, passkeys] = await Promise.all([
    users.sessionStatus(sessionId),
    storage.sessions.byId(sessionId),
    users.byId(userId),
    storage.trust.enrolmentFacts({ userId, sessionId, rememberedSince, now }),
    storage.passkeys.allOfUser(userId),
  ])
  const isLive = status?.userId === userId && session !== undefined && user !== undefined && facts !== undefined
  if (!isLive) throw new InvalidAccessToken()
  const trust = trustLevelOf(status, now)
  // Pages ask often, and only this option depends on the device.
  const deviceId = options.approverVerification === 'always' ? status.deviceId : null
  const device = deviceId === null ? undefined : await storage.devices.ofUser(userId, deviceId)
  const deviceApproves = trust === 'high' && !needsPasskey(options, device ?? {})
  const passkeyApproves = options.passkeyApprovals && status.passkeyId !== null && status.userVerified && isTrusted(status, now)
  return {
    user: {
      id: userId,
      email: status.email,
      name: user.name,
      permissions: permissionsIn(status.permissions, null),
      ...listedTenants(status.permissions, null),
    },
    session: { ...toSessionProfile(deps, session), current: true },
    trust,
    can: {
      approve: deviceApproves || passkeyApproves,
      enrol: initialTrust(options, facts, now) === now,
      passkeys: passkeys.length < options.passkeysPerUser,
      password: user.directoryId === null && user.passwordHash !== null && status.tenants === null,
    },
  }
}
