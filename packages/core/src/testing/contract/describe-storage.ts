import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { days } from '../../shared/clock.ts'
import type { FullStorage } from '../../storage.ts'
import { actionTypesContract } from './approvals/action-types.ts'
import { approvalKeysContract } from './approvals/approval-keys.ts'
import { approvalRequestsContract } from './approvals/approval-requests.ts'
import { confirmationApprovalContract } from './approvals/confirmation-approval.ts'
import { confirmationSettlingContract } from './approvals/confirmation-settling.ts'
import { confirmationUseContract } from './approvals/confirmation-use.ts'
import { confirmationsContract } from './approvals/confirmations.ts'
import { historyContract } from './approvals/history.ts'
import { liveChangesContract } from './approvals/live-changes.ts'
import { passkeyApprovalContract } from './approvals/passkey-approval.ts'
import { pushWindowsContract } from './approvals/push-windows.ts'
import { receiptKeysContract } from './approvals/receipt-keys.ts'
import { vouchingsContract } from './approvals/vouchings.ts'
import { approversContract } from './identity/approvers.ts'
import { challengesContract } from './identity/challenges.ts'
import { delegationsContract } from './identity/delegations.ts'
import { deviceRegistrationContract } from './identity/device-registration.ts'
import { deviceRegistrationEvidenceContract } from './identity/device-registration-evidence.ts'
import { devicesContract } from './identity/devices.ts'
import { liveSessionsContract } from './identity/live-sessions.ts'
import { loginFailuresContract } from './identity/login-failures.ts'
import { oneTimeCodesContract } from './identity/one-time-codes.ts'
import { passkeyRegistrationContract } from './identity/passkey-registration.ts'
import { passkeysContract } from './identity/passkeys.ts'
import { rateLimitsContract } from './identity/rate-limits.ts'
import { rateLimitsGivenBackContract } from './identity/rate-limits-given-back.ts'
import { holdingContract } from './identity/row-locks.ts'
import { secretsContract } from './identity/secrets.ts'
import { serversContract } from './identity/servers.ts'
import { serviceTokensContract } from './identity/service-tokens.ts'
import { sessionLimitContract } from './identity/session-limit.ts'
import { sessionRotationContract } from './identity/session-rotation.ts'
import { sessionStatusContract } from './identity/session-status.ts'
import { sessionsContract } from './identity/sessions.ts'
import { trustChangesContract } from './identity/trust-changes.ts'
import { userChangesContract } from './identity/user-changes.ts'
import { userErasureContract } from './identity/user-erasure.ts'
import { usersContract } from './identity/users.ts'
import { listsAcrossUsersContract } from './lists-across-users.ts'
import { customersContract } from './projects/customers.ts'
import { importsContract } from './projects/imports.ts'
import { listsAmidChangesContract } from './projects/lists-during-changes.ts'
import { productSchemasContract } from './projects/product-schemas.ts'
import { projectChangesContract } from './projects/project-changes.ts'
import { projectListsContract } from './projects/project-lists.ts'
import { projectSearchContract } from './projects/project-search.ts'
import { projectsContract } from './projects/projects.ts'
import { recoveryContract } from './recovery.ts'
import { retentionContract } from './retention.ts'
import { storedTextsContract } from './stored-texts.ts'
import { sweepingContract } from './sweeping.ts'
import { transactionsContract } from './transactions.ts'

/** The milliseconds that a test may take. A real disk on a busy machine is slow, and the suite does not test speed. */
const PATIENCE = 60_000

/**
 * Declares the contract suite of `Storage` in Vitest. A storage that passes can be used with Countersign. No test may be skipped.
 *
 * @param open Opens the storage, after its migrations. Called once, before the suite. The suite closes the storage. Suites may use
 *   the same database one after another, because each test creates its own users and ids. Only the tests of sweeping need to be
 *   the only ones with rows that are decades old.
 */
export const describeStorage = (name: string, open: () => Promise<FullStorage>): void => {
  describe(`storage: ${name}`, { timeout: PATIENCE }, () => {
    let opened: FullStorage | undefined
    const storage = (): FullStorage => {
      if (opened === undefined) throw new Error('the storage was not opened')
      return opened
    }

    beforeAll(async () => {
      opened = await open()
    }, PATIENCE)

    afterAll(async () => {
      await opened?.close()
    })

    it('returns the time of its own clock, in whole milliseconds', async () => {
      const { time } = storage()
      // A database without a clock of its own has no `time`.
      if (time === undefined) return
      const before = await time()
      expect(Number.isSafeInteger(before)).toBe(true)
      expect(Math.abs(before - Date.now())).toBeLessThan(days(1))
      expect(await time()).toBeGreaterThanOrEqual(before)
    })

    it('answers a ping', async () => {
      await expect(storage().ping()).resolves.toBeUndefined()
    })

    it('answers probes of its writes, also several at the same time', async () => {
      const probes = Array.from({ length: 5 }, () => storage().probeWrites())
      await expect(Promise.all(probes)).resolves.toHaveLength(5)
      await expect(storage().probeWrites()).resolves.toBeUndefined()
    })

    usersContract(storage)
    userChangesContract(storage)
    approversContract(storage)
    userErasureContract(storage)
    sessionsContract(storage)
    sessionRotationContract(storage)
    sessionLimitContract(storage)
    sessionStatusContract(storage)
    loginFailuresContract(storage)
    devicesContract(storage)
    deviceRegistrationContract(storage)
    deviceRegistrationEvidenceContract(storage)
    passkeysContract(storage)
    passkeyRegistrationContract(storage)
    trustChangesContract(storage)
    secretsContract(storage)
    serversContract(storage)
    challengesContract(storage)
    oneTimeCodesContract(storage)
    delegationsContract(storage)
    confirmationsContract(storage)
    confirmationSettlingContract(storage)
    confirmationUseContract(storage)
    confirmationApprovalContract(storage)
    passkeyApprovalContract(storage)
    vouchingsContract(storage)
    liveChangesContract(storage)
    pushWindowsContract(storage)
    receiptKeysContract(storage)
    approvalKeysContract(storage)
    approvalRequestsContract(storage)
    actionTypesContract(storage)
    serviceTokensContract(storage)
    rateLimitsContract(() => storage().rateLimits)
    rateLimitsGivenBackContract(() => storage().rateLimits)
    customersContract(storage)
    projectsContract(storage)
    projectChangesContract(storage)
    projectListsContract(storage)
    projectSearchContract(storage)
    listsAmidChangesContract(storage)
    productSchemasContract(storage)
    importsContract(storage)
    transactionsContract(storage)
    holdingContract(storage)
    liveSessionsContract(storage)
    listsAcrossUsersContract(storage)
    historyContract(storage)
    storedTextsContract(storage)
    sweepingContract(storage)
    retentionContract(storage)
    recoveryContract(storage)
  })
}
