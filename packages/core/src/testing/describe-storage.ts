import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { Storage } from '../ports/storage.ts'
import { challengesContract } from './contract/challenges.ts'
import { confirmationApprovalContract } from './contract/confirmation-approval.ts'
import { confirmationSettlingContract } from './contract/confirmation-settling.ts'
import { confirmationsContract } from './contract/confirmations.ts'
import { customersContract } from './contract/customers.ts'
import { decoyProfilesContract } from './contract/decoy-profiles.ts'
import { deviceRegistrationContract } from './contract/device-registration.ts'
import { devicesContract } from './contract/devices.ts'
import { holdingContract } from './contract/holding.ts'
import { importsContract } from './contract/imports.ts'
import { listsAmidChangesContract } from './contract/lists-amid-changes.ts'
import { liveSessionsContract } from './contract/live-sessions.ts'
import { loginFailuresContract } from './contract/login-failures.ts'
import { passkeyRegistrationContract } from './contract/passkey-registration.ts'
import { passkeysContract } from './contract/passkeys.ts'
import { productSchemasContract } from './contract/product-schemas.ts'
import { projectListsContract } from './contract/project-lists.ts'
import { projectsContract } from './contract/projects.ts'
import { rateLimitsContract } from './contract/rate-limits.ts'
import { serviceTokensContract } from './contract/service-tokens.ts'
import { sessionRotationContract } from './contract/session-rotation.ts'
import { sessionStandingContract } from './contract/session-standing.ts'
import { sessionsContract } from './contract/sessions.ts'
import { sweepingContract } from './contract/sweeping.ts'
import { transactionsContract } from './contract/transactions.ts'
import { userChangesContract } from './contract/user-changes.ts'
import { usersContract } from './contract/users.ts'

/** Milliseconds a test may take: a real disk on a busy machine is slow, and slowness is not what is tested. */
const PATIENCE = 60_000

/**
 * The contract of `Storage` as a suite of vitest: what passes it can stand under Countersign. There is nothing to skip.
 *
 * @param open Opens the storage, migrated and ready. Called once, before the suite; the suite closes what it gets. Suites
 *   may share a database one after another: each test makes its own users and ids. Only sweeping expects to be alone with
 *   rows that lie decades back.
 */
export const describeStorage = (name: string, open: () => Promise<Storage>): void => {
  describe(`storage: ${name}`, { timeout: PATIENCE }, () => {
    let opened: Storage | undefined
    const storage = (): Storage => {
      if (opened === undefined) throw new Error('the storage was not opened')
      return opened
    }

    beforeAll(async () => {
      opened = await open()
    }, PATIENCE)

    afterAll(async () => {
      await opened?.close()
    })

    it('answers', async () => {
      await expect(storage().ping()).resolves.toBeUndefined()
    })

    usersContract(storage)
    userChangesContract(storage)
    sessionsContract(storage)
    sessionRotationContract(storage)
    sessionStandingContract(storage)
    loginFailuresContract(storage)
    devicesContract(storage)
    deviceRegistrationContract(storage)
    passkeysContract(storage)
    passkeyRegistrationContract(storage)
    decoyProfilesContract(storage)
    challengesContract(storage)
    confirmationsContract(storage)
    confirmationSettlingContract(storage)
    confirmationApprovalContract(storage)
    serviceTokensContract(storage)
    rateLimitsContract(() => storage().rateLimits)
    customersContract(storage)
    projectsContract(storage)
    projectListsContract(storage)
    listsAmidChangesContract(storage)
    productSchemasContract(storage)
    importsContract(storage)
    transactionsContract(storage)
    holdingContract(storage)
    liveSessionsContract(storage)
    sweepingContract(storage)
  })
}
