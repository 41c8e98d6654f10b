import { text, textList } from '../../shared/input-schemas.ts'
import type { IdentityDeps } from '../deps.ts'
import { checkedPassword } from '../passwords/new-password.ts'
import { toProfile, type UserProfile } from '../records/user.ts'
import type { IdentityStores } from '../stores.ts'
import { EmailTaken, UsersKeptByHost } from '../user-model/errors.ts'
import { approvalOf, type GrantedBy, grantedByShape } from '../user-model/on-grant.ts'
import { checkedProfile, checkedTokenSize, type ProfileInput, profileShape } from '../user-model/user-input.ts'
import { requireGranter } from './require-granter.ts'

/** The input for a new user. */
export interface CreateUser extends ProfileInput, GrantedBy {
  /** See `checkedPassword`. Without a password, the user cannot log in by password. */
  readonly password?: string | undefined
}

export const createUserShape = {
  ...profileShape,
  email: text,
  password: text.optional(),
  permissions: textList.optional(),
  ...grantedByShape,
}

/**
 * Creates a user. With the gate `user.grant`, permissions need an approval, which is consumed in the transaction.
 * @throws Invalid, EmailTaken, and UsersKeptByHost if the host has a directory
 * @throws ConfirmationRequired and the errors of consuming an approval, if the host gates grants
 * @throws Forbidden for a caller whose session is bound to other tenants than the permissions
 * @example await countersign.users.create({ email: 'ada@example.com', name: 'Ada Lovelace', permissions: ['project.read'] })
 */
export async function createUser(deps: IdentityDeps, input: CreateUser): Promise<UserProfile> {
  const { storage, users, clock, logger, onGrant, passwords } = deps
  const { password } = input
  if (users.areKeptByHost) throw new UsersKeptByHost()
  const profile = checkedTokenSize(checkedProfile(input))
  const passwordHash = password === undefined ? null : await passwords.hash(await checkedPassword(deps, password, profile))

  const { email, permissions: granted } = profile
  await requireGranter(deps, input, granted)
  const row = { ...profile, directoryId: null, passwordHash, createdAt: clock.now() }
  const create = async (tx: IdentityStores) => {
    const created = await tx.users.create([row])
    if (created.length > 0) await onGrant(tx, { ...approvalOf(input), email, granted, before: undefined })
    return created
  }
  const [user] = await (granted.length === 0 ? storage.users.create([row]) : storage.transaction(create))
  if (user === undefined) throw new EmailTaken()
  if (granted.length > 0) logger.info('permissions_granted', { userId: user.id, permissions: granted })
  return toProfile(user)
}
