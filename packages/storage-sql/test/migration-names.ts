/** The names of all migrations in order. They are written out here so that a rename is noticed. */
export const migrationNames = ['0001-identity', '0001-approvals', '0001-projects']
