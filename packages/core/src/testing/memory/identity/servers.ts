import type { ServerStore } from '../../../identity/servers/store.ts'
import { byCodePoints, deleteWhere, type Run } from '../tables.ts'

export const memoryServers = (run: Run): ServerStore => ({
  announce: (server, goneBefore) =>
    run(({ servers }) => {
      servers.set(server.id, server)
      deleteWhere(servers, ({ seenAt }) => seenAt < goneBefore)
    }),
  since: (time) =>
    run(({ servers }) => [...servers.values()].filter(({ seenAt }) => seenAt >= time).sort((a, b) => byCodePoints(a.id, b.id))),
  forget: (id) => run(({ servers }) => void servers.delete(id)),
})
