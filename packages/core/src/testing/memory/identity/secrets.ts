import type { SecretStore } from '../../../identity/secrets/store.ts'
import type { Run } from '../tables.ts'

export const memorySecrets = (run: Run): SecretStore => ({
  byId: (id) => run(({ secrets }) => secrets.get(id)),
  keepFirst: (id, secret) =>
    run(({ secrets }) => {
      const stored = secrets.get(id) ?? secret
      secrets.set(id, stored)
      return stored
    }),
})
