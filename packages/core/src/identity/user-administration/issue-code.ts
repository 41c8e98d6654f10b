import { storableText, trueOrFalse } from '../../shared/input-schemas.ts'
import { NoDelivery } from '../authentication/errors.ts'
import type { IdentityDeps } from '../deps.ts'
import { deliverOrVoid } from '../one-time-codes/code-delivery.ts'
import { type IssuedCode, issueCode } from '../one-time-codes/issue-code.ts'
import type { OneTimeCodeKind } from '../records/one-time-code.ts'
import type { User } from '../records/user.ts'
import { UserRefused, UsersKeptByHost } from '../user-model/errors.ts'
import { type ByEmail, requireUser, userOfAdmin } from '../user-model/require-user.ts'
import { createUser } from './create-user.ts'

/** @throws UserRefused if the user is disabled or locked, or changes at the same time */
const issueCodeTo = async (deps: IdentityDeps, user: User, kind: OneTimeCodeKind): Promise<IssuedCode> => {
  const issued = await issueCode(deps, user, kind)
  if (issued === undefined) throw new UserRefused()
  return issued
}

/**
 * Issues a code with which the user enrols a trusted device or passkey. @throws UserNotFound, UserRefused
 * @example const { code, expiresAt } = await countersign.users.enrol({ email: 'ada@example.com' })
 */
export async function enrolUser(deps: IdentityDeps, input: ByEmail): Promise<IssuedCode> {
  return issueCodeTo(deps, await requireUser(deps, input.email), 'enrolment')
}

/**
 * Issues a code with which a user sets a new password. @throws UserNotFound, UserRefused, and UsersKeptByHost for a user of a
 * directory
 * @example const { code, expiresAt } = await countersign.users.resetPassword({ email: 'ada@example.com' })
 */
export async function resetPassword(deps: IdentityDeps, input: ByEmail): Promise<IssuedCode> {
  const user = await requireUser(deps, input.email)
  if (user.directoryId !== null) throw new UsersKeptByHost()
  return issueCodeTo(deps, user, 'reset')
}

/** The input for an invitation. */
export interface InviteUser {
  readonly email: string
  /** Whether the host's `deliverCode` delivers the code to the email; `false` by default. */
  readonly deliver?: boolean | undefined
  /** The language of the delivered text, as a tag (BCP 47); nobody knows by default. */
  readonly language?: string | undefined
}

export const inviteUserShape = { email: storableText, deliver: trueOrFalse.optional(), language: storableText.optional() }

/**
 * Issues a code with which a user sets the first password. Creates the user, without permissions, if nobody has the email. With
 * `deliver`, resolves after the host has delivered the code; if that fails, the code is void, and the error of the host rejects.
 * @throws Invalid, UserRefused, and UsersKeptByHost if the directory of the host keeps the password
 * @throws NoDelivery if the code is to be delivered and the host has no `deliverCode`
 * @example const { code, expiresAt } = await countersign.users.invite({ email: 'ada@example.com' })
 */
export async function inviteUser(deps: IdentityDeps, { email, deliver = false, language }: InviteUser): Promise<IssuedCode> {
  const { deliverCode } = deps
  if (deliver && deliverCode === undefined) throw new NoDelivery()
  const known = await userOfAdmin(deps, email)
  if (known === undefined) await createUser(deps, { email })
  const user = known ?? (await requireUser(deps, email))
  if (user.directoryId !== null) throw new UsersKeptByHost()
  const issued = await issueCodeTo(deps, user, 'invitation')
  if (!deliver || deliverCode === undefined) return issued
  const languages = language === undefined ? [] : [language]
  const delivery = { ...issued, userId: user.id, email: user.email, kind: 'invitation', languages } as const
  await deliverOrVoid(deps, deliverCode, delivery, 'invitation')
  return issued
}
