import { NothingToChange } from '../../shared/errors.ts'
import type { LoggedChange } from '../base-deps.ts'
import { toProfile, type User, type UserChange, type UserProfile } from '../records/user.ts'
import { changeUser } from './change-user.ts'

/**
 * Enables a disabled user. Ended sessions stay ended. @throws UserNotFound, NothingToChange
 * @example await countersign.users.enable({ email: 'ada@example.com' })
 */
export async function enableUser(deps: LoggedChange, input: { readonly email: string }): Promise<UserProfile> {
  const enable = ({ disabledAt }: User): UserChange => {
    if (disabledAt === null) throw new NothingToChange('The user is not disabled')
    return { disabledAt: null }
  }
  const { user } = await changeUser(deps, input.email, enable, async () => {})
  return toProfile(user)
}
