/** Of all migrations, in the order in which they are applied: written out, so that none is renamed or moved unnoticed. */
export const migrationNames = [
  '0001-authentication',
  '0002-projects',
  '0003-passkeys',
  '0004-changes-told',
  '0005-user-directory',
  '0006-slim-search',
  '0007-gathered-search',
  '0009-known-clients',
  '0010-used-challenges-sealed-nonces',
  '0012-passkeys-of-users',
]
