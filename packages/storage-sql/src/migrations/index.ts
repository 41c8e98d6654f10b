import type { Part } from '@countersign/core'
import type { Migration } from 'kysely/migration'
import { approvalSeeds, createApprovals } from './0001-approvals.ts'
import { createIdentity } from './0001-identity.ts'
import { createProjectTables, projectSeeds } from './0001-projects.ts'
import type { MigrationDialect } from './migration-dialect.ts'

export interface PartMigration extends Migration {
  /**
   * True if the migration does nothing but add indexes. PostgreSQL builds such an index concurrently: outside of a transaction,
   * while other programs go on writing to the table.
   */
  readonly addsOnlyIndexes?: boolean
}

/** The migrations of every part, by name. */
export type PartMigrations = Readonly<Record<Part, Readonly<Record<string, PartMigration>>>>

/**
 * Every migration. Kysely applies the migrations of a part in the order of their names, each once. A released migration never
 * changes, so a migration imports only other files of this folder and Kysely.
 */
export const migrations = (dialect: MigrationDialect): PartMigrations => ({
  identity: { '0001-identity': { up: createIdentity(dialect) } },
  approvals: { '0001-approvals': { up: createApprovals(dialect) } },
  projects: { '0001-projects': { up: createProjectTables(dialect) } },
})

/** The rows that all migrations insert, by table: the content of a database that is not in use yet. */
export const seeds: Readonly<Record<string, readonly object[]>> = { ...projectSeeds, ...approvalSeeds }
