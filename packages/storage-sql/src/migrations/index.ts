import type { Migration } from 'kysely/migration'
import { createIdentity } from './0001-identity.ts'
import { createApprovals } from './0002-approvals.ts'
import { createProjectTables, projectSeeds } from './0003-projects.ts'
import { addIdentityTrust } from './0004-identity-trust.ts'
import { addAccountProtection } from './0005-identity-account.ts'
import { addRequester } from './0006-approvals-requester.ts'
import { createVouchings } from './0007-approvals-vouching.ts'
import { addEvidence } from './0008-approvals-evidence.ts'
import { createDeviceRegistrations } from './0009-identity-registration-evidence.ts'
import { createReceiptKeys } from './0010-approvals-receipt-keys.ts'
import { actionTypeSeeds, createActionTypes } from './0011-approvals-action-types.ts'
import { createApprovalRequests } from './0012-approvals-requests.ts'
import { addConsumption } from './0013-approvals-consumption.ts'
import { addSweepDay } from './0017-identity-sweep-day.ts'
import { readChangesByTransaction } from './0018-identity-changes.ts'
import { addConsumedReceipt } from './0019-approvals-consumed-receipt.ts'
import { indexApprovalsOfUser } from './0021-approvals-of-user.ts'
import { addErasedUsers } from './0022-identity-erased-users.ts'
import { createCountDeltas } from './0023-projects-count-deltas.ts'
import { createRateLimitStates } from './0025-identity-rate-limits.ts'
import { indexListsAcrossUsers } from './0026-lists-across-users.ts'
import { indexRetention } from './0027-retention.ts'
import { indexChallengesOfUser } from './0028-identity-challenges-of-user.ts'
import { addRegisteredBy } from './0030-identity-registered-by.ts'
import { addRequestedIn } from './0031-approvals-requested-in.ts'
import { foldDottedI } from './0036-projects-dotted-i.ts'
import { createSecrets } from './0038-identity-secrets.ts'
import { addPushTokenDigests } from './0040-identity-push-tokens.ts'
import { createPushWindows } from './0041-approvals-push-windows.ts'
import { addProjectToImportKeys } from './0042-projects-import-keys.ts'
import { addRenewalKeys } from './0044-identity-renewal-keys.ts'
import { createServers } from './0048-identity-servers.ts'
import { indexConfirmationsByType } from './0049-approvals-by-type.ts'
import type { MigrationDialect } from './migration-dialect.ts'

/**
 * Every migration, by name. Kysely applies them in the order of their names, each once. A released migration never changes, so
 * a migration imports only other files of this folder and Kysely.
 */
export const migrations = (dialect: MigrationDialect): Readonly<Record<string, Migration>> => ({
  '0001-identity': { up: createIdentity(dialect) },
  '0002-approvals': { up: createApprovals },
  '0003-projects': { up: createProjectTables(dialect) },
  '0004-identity-trust': { up: addIdentityTrust },
  '0005-identity-account': { up: addAccountProtection },
  '0006-approvals-requester': { up: addRequester },
  '0007-approvals-vouching': { up: createVouchings },
  '0008-approvals-evidence': { up: addEvidence },
  '0009-identity-registration-evidence': { up: createDeviceRegistrations },
  '0010-approvals-receipt-keys': { up: createReceiptKeys },
  '0011-approvals-action-types': { up: createActionTypes },
  '0012-approvals-requests': { up: createApprovalRequests },
  '0013-approvals-consumption': { up: addConsumption },
  '0017-identity-sweep-day': { up: addSweepDay(dialect) },
  '0018-identity-changes': { up: readChangesByTransaction(dialect) },
  '0019-approvals-consumed-receipt': { up: addConsumedReceipt },
  '0021-approvals-of-user': { up: indexApprovalsOfUser },
  '0022-identity-erased-users': { up: addErasedUsers },
  '0023-projects-count-deltas': { up: createCountDeltas(dialect) },
  '0025-identity-rate-limits': { up: createRateLimitStates(dialect) },
  '0026-lists-across-users': { up: indexListsAcrossUsers },
  '0027-retention': { up: indexRetention },
  '0028-identity-challenges-of-user': { up: indexChallengesOfUser },
  '0030-identity-registered-by': { up: addRegisteredBy },
  '0031-approvals-requested-in': { up: addRequestedIn },
  '0036-projects-dotted-i': { up: foldDottedI(dialect) },
  '0038-identity-secrets': { up: createSecrets },
  '0040-identity-push-tokens': { up: addPushTokenDigests },
  '0041-approvals-push-windows': { up: createPushWindows(dialect) },
  '0042-projects-import-keys': { up: addProjectToImportKeys(dialect) },
  '0044-identity-renewal-keys': { up: addRenewalKeys },
  '0048-identity-servers': { up: createServers },
  '0049-approvals-by-type': { up: indexConfirmationsByType },
})

/**
 * The migrations that do nothing but add indexes. PostgreSQL builds such an index concurrently: outside of a transaction, while
 * other programs go on writing to the table.
 */
export const indexMigrations: ReadonlySet<string> = new Set([
  '0021-approvals-of-user',
  '0026-lists-across-users',
  '0027-retention',
  '0028-identity-challenges-of-user',
  '0049-approvals-by-type',
])

/** The rows that all migrations insert, by table: the content of a database that is not in use yet. */
export const seeds: Readonly<Record<string, readonly object[]>> = { ...projectSeeds, ...actionTypeSeeds }
