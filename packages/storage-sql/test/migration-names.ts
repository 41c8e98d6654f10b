/** The names of all migrations, in the order in which they are applied. Written out here, so that no rename goes unnoticed. */
export const migrationNames = [
  '0001-identity',
  '0002-approvals',
  '0003-projects',
  '0004-identity-trust',
  '0005-identity-account',
  '0006-approvals-requester',
]
