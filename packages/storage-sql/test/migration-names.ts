/** The names of all migrations in order. They are written out here so that a rename is noticed. */
export const migrationNames = [
  '0001-identity',
  '0002-approvals',
  '0003-projects',
  '0004-identity-trust',
  '0005-identity-account',
  '0006-approvals-requester',
  '0007-approvals-vouching',
  '0008-approvals-evidence',
  '0009-identity-registration-evidence',
  '0010-approvals-receipt-keys',
  '0011-approvals-action-types',
  '0012-approvals-requests',
  '0013-approvals-consumption',
  '0017-identity-sweep-day',
  '0018-identity-changes',
  '0019-approvals-consumed-receipt',
]
