import type { MigratedStorage } from '@countersign/core'
import { type Config, compareServers, settingsOf } from '@countersign/server'
import { type Finding, ok, warning } from './check.ts'
import type { FoundKeys } from './keys.ts'

/** Compares the settings of this machine with the settings of the servers that run on the database. */
export const examineServers = async (
  storage: MigratedStorage,
  config: Config,
  { tokens, fields }: FoundKeys,
): Promise<Finding> => {
  const now = await (storage.time?.() ?? Date.now())
  const settings = settingsOf(config, { jwtKeys: tokens, encryptionKeys: fields })
  const { running, differences } = await compareServers(storage, settings, now)
  if (running === 0) return ok('none runs on the database')
  if (differences.length > 0) return warning(`a running server has another value of ${differences.join(', ')}`)
  return ok(`${running} on the database, with the same settings`)
}
