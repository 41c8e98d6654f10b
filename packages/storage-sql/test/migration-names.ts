/** The names of all migrations in order. They are written out here so that a rename is noticed. */
export const migrationNames = ['0001-identity', '0001-approvals', '0001-projects']

/** The refusal of a database that a version before the first release migrated. */
export const unreleased = {
  reason: 'database_not_migrated',
  cause: {
    forOperator: 'its tables are those of a version before the first release, which cannot be upgraded; use an empty database',
  },
}
