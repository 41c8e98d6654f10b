import { storableText, trueOrFalse } from '../../shared/input-schemas.ts'
import { NoDelivery } from '../authentication/errors.ts'
import type { IdentityDeps } from '../deps.ts'
import { deliverOrVoid } from '../one-time-codes/deliver-or-void.ts'
import { UsersKeptByHost } from '../user-model/errors.ts'
import { requireUser, userOfAdmin } from '../user-model/require-user.ts'
import { createUser } from './create-user.ts'
import { type IssueCodeDeps, type IssuedCode, issueCodeTo } from './issue-code.ts'

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
 * Issues a code with which a user sets the first password. The code is valid until `expiresAt`. Creates the user if nobody has the
 * email. The new user has no permissions, and cannot log in by password before the code is redeemed. With `deliver`, resolves after
 * the host has delivered the code. If that fails, the code is void, and the error of the host rejects.
 * @throws Invalid, UserRefused, and UsersKeptByHost if the directory of the host keeps the password
 * @throws NoDelivery if the code is to be delivered and the host has no `deliverCode`
 * @example const { code, expiresAt } = await countersign.users.invite({ email: 'ada@example.com' })
 */
export async function inviteUser(
  deps: IssueCodeDeps & Pick<IdentityDeps, 'users' | 'passwords' | 'options' | 'onGrant' | 'deliverCode'>,
  { email, deliver = false, language }: InviteUser,
): Promise<IssuedCode> {
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
