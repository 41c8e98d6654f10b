/** The names of all migrations in order. They are written out here so that a rename is noticed. */
export const migrationNames = ['0001-identity', '0001-approvals', '0001-projects']

/** The refusal of a database that a version before the first release migrated. */
export const unreleased = {
  reason: 'database_not_migrated',
  cause: {
    forOperator:
      'it was made before the first release by another version: nothing carries over; ' +
      'delete the folder `.countersign` (or make an empty database), or stay on that version',
  },
}

/** Statements that turn a migrated database into the database of an earlier `0001`: without digests, and with another digest. */
export const earlierVersions = [
  'alter table migrations_approvals drop column digest',
  `update migrations_approvals set digest = 'of other statements'`,
]
