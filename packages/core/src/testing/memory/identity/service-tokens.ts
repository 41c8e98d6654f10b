import type { ServiceTokenStore } from '../../../identity/service-tokens/store.ts'
import { insert, newestFirst, type Run, replaceWhere } from '../tables.ts'

export const memoryServiceTokens = (run: Run): ServiceTokenStore => ({
  add: (token) => run(({ serviceTokens }) => insert(serviceTokens, token.id, token)),
  list: () => run(({ serviceTokens }) => [...serviceTokens.values()].sort(newestFirst)),
  status: (id) =>
    run(({ serviceTokens }) => {
      const token = serviceTokens.get(id)
      return token?.revokedAt === null ? token : undefined
    }),
  revoke: (id, now) =>
    run(({ serviceTokens }) =>
      replaceWhere(
        serviceTokens,
        id,
        ({ revokedAt }) => revokedAt === null,
        (token) => ({ ...token, revokedAt: now }),
      ),
    ),
})
