import type { KeyRing } from '../shared/crypto/key-ring.ts'
import { examineClock } from '../shared/health/examine-clock.ts'
import { type Finding, failed, ok } from '../shared/health/finding.ts'
import { reasonOfProbe } from '../shared/health/run-probe.ts'
import type { Logger } from '../shared/logger.ts'
import type { MigratedStorage, Storage } from '../storage.ts'
import { examineSchema } from './examine-schema.ts'
import { examineSealedFields, lostFields } from './sealed-fields/examine-sealed-fields.ts'

/** One row of the answer of `check`. */
export interface Check extends Finding {
  readonly check: 'database' | 'schema version' | 'clock' | 'keys'
}

interface Deps {
  readonly storage: Storage
  readonly encryptionKeys: KeyRing
  readonly logger: Logger
}

/** A host's own storage may lack migrations, and may have no way to read all rows. */
const isMigrated = (storage: Storage): storage is MigratedStorage => 'migrationStatus' in storage && 'snapshot' in storage

/** Resolves with a finding also if the database fails. */
const found = async (examining: Promise<Finding>): Promise<Finding> => {
  try {
    return await examining
  } catch (error) {
    return failed(reasonOfProbe(error))
  }
}

const examineUse = async (storage: Storage): Promise<Check> => {
  const use = async () => {
    await storage.ping()
    await storage.probeWrites()
    return ok('answers, and takes writes')
  }
  return { check: 'database', ...(await found(use())) }
}

const examineKeys = async (source: Pick<MigratedStorage, 'snapshot'>, ring: KeyRing): Promise<Finding> => {
  const lost = lostFields(await examineSealedFields(source, ring), ring, 'encryptionKeys')
  return lost.length === 0 ? ok('the encryption keys open the stored fields') : failed(lost.join('; '))
}

/**
 * Checks that a host can serve: the database answers, its role, schema and clock are right, and the encryption keys decrypt the
 * stored fields (at most 50,000 rows of each table). Never rejects because of the database. Logs each failed check as
 * `check_failed`.
 * @example const failed = (await countersign.check()).filter(({ status }) => status === 'failed')
 */
export const checkInstallation = async (deps: Deps): Promise<readonly Check[]> => {
  const checks = await runChecks(deps)
  for (const { check, status, detail } of checks) if (status === 'failed') deps.logger.error('check_failed', { check, detail })
  return checks
}

const runChecks = async ({ storage, encryptionKeys }: Omit<Deps, 'logger'>): Promise<readonly Check[]> => {
  const clock: Check = { check: 'clock', ...(await examineClock(storage)) }
  if (!isMigrated(storage)) return [await examineUse(storage), clock]
  const schema: Check = { check: 'schema version', ...(await found(examineSchema(storage, 'storage.migrate()'))) }
  if (schema.status === 'failed') return [schema, clock]
  const database = await examineUse(storage)
  if (database.status === 'failed') return [database, schema, clock]
  return [database, schema, clock, { check: 'keys', ...(await found(examineKeys(storage, encryptionKeys))) }]
}
