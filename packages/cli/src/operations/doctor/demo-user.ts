import type { MigratedStorage } from '@countersign/core'
import { type Config, demoUser, isLoopbackHost } from '@countersign/server'
import { type Finding, failed } from './check.ts'

/** Returns whether the demo user, whose password is public, exists and is enabled. */
export const hasDemoUser = async ({ users }: Pick<MigratedStorage, 'users'>): Promise<boolean> => {
  const user = await users.byEmail(demoUser.email)
  return user !== undefined && user.directoryId === null && user.disabledAt === null && user.lockedAt === null
}

const remedy = `\`countersign user disable ${demoUser.email}\` shuts the demo user out`

/** Returns a failed check if the demo user could do harm; `undefined` elsewhere. */
export const examineDemoUser = ({ production, host }: Pick<Config, 'production' | 'host'>): Finding | undefined => {
  if (production)
    return failed(`${demoUser.email} is in the database; its password is known, and it cannot log in here: ${remedy}`)
  if (isLoopbackHost(host)) return undefined
  return failed(`whoever reaches ${host} can log in as ${demoUser.email}, whose password is known: ${remedy}`)
}
