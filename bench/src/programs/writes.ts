import { randomUUID } from 'node:crypto'
import type { MigratedStorage } from '@countersign/core'
import { aProject, aSession } from '@countersign/core/testing'
import { openPostgres } from '@countersign/storage-postgres'
import { repeatOperations } from '../harness/program.ts'

/** The writes of one server on a PostgreSQL database, through the storage. */
export interface WritesOptions {
  readonly url: string
  readonly what: 'project' | 'session' | 'refresh'
  readonly customerId: string
  readonly userId: number
  /** The number of connections, and of callers at the same time. */
  readonly connections: number
}

const DAY = 86_400_000

const sessionOf = (userId: number) =>
  aSession({ userId, id: randomUUID(), refreshTokenId: randomUUID(), refreshExpiresAt: Date.now() + DAY })

const writes = {
  project: async ({ projects }: MigratedStorage, { customerId, userId }: WritesOptions) => {
    const year = new Date().getUTCFullYear()
    return async () => {
      const { uniqueCode: _, ...project } = aProject({ customerId, creatorId: userId })
      const code = await projects.projects.create(project, year, (number) => `PRJ-${year}-${number}`)
      if (code === undefined) throw new Error('a number was given twice')
    }
  },
  session:
    async ({ sessions }: MigratedStorage, { userId }: WritesOptions) =>
    async () => {
      const session = sessionOf(userId)
      await sessions.open(session)
      await sessions.end(session.id, 'logout', Date.now())
    },
  refresh: async ({ sessions }: MigratedStorage, { userId }: WritesOptions) => {
    const session = sessionOf(userId)
    await sessions.open(session)
    let fromTokenId = session.refreshTokenId
    return async () => {
      const [toTokenId, now] = [randomUUID(), Date.now()]
      const rotation = { sessionId: session.id, fromTokenId, toTokenId, keyHash: null, expiresAt: now + DAY, now }
      if (!(await sessions.rotate(rotation))) throw new Error('a rotation was lost')
      fromTokenId = toTokenId
    }
  },
}

export const program = repeatOperations(async (given: WritesOptions) => {
  const storage = await openPostgres({ url: given.url, poolSize: given.connections })
  return Promise.all(Array.from({ length: given.connections }, () => writes[given.what](storage, given)))
})
