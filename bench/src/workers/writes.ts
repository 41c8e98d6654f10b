import { randomUUID } from 'node:crypto'
import type { MigratedStorage } from '@countersign/core'
import { aProject, aSession } from '@countersign/core/testing'
import { openPostgres } from '@countersign/storage-postgres'
import { answerCalls } from '../harness/calls.ts'
import { repeat } from '../harness/repeat.ts'

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

type Operation = () => Promise<void>

/** Creates projects with the next numbers of a year. */
const creating = (storage: MigratedStorage, { customerId, userId }: WritesOptions): Operation => {
  const year = new Date().getUTCFullYear()
  return async () => {
    const { uniqueCode: _, ...project } = aProject({ customerId, creatorId: userId })
    const code = await storage.projects.projects.createNumbered(project, year, (number) => `PRJ-${year}-${number}`)
    if (code === undefined) throw new Error('a number was given twice')
  }
}

/** Opens a session and ends it, which every process learns. */
const openingSessions =
  ({ sessions }: MigratedStorage, { userId }: WritesOptions): Operation =>
  async () => {
    const session = aSession({ userId, id: randomUUID(), refreshTokenId: randomUUID(), refreshExpiresAt: Date.now() + DAY })
    await sessions.open(session)
    await sessions.end(session.id, 'logout', Date.now())
  }

/** Rotates the refresh token of one session again and again. */
const refreshing = async ({ sessions }: MigratedStorage, { userId }: WritesOptions): Promise<Operation> => {
  const session = aSession({ userId, id: randomUUID(), refreshTokenId: randomUUID(), refreshExpiresAt: Date.now() + DAY })
  await sessions.open(session)
  let current = session.refreshTokenId
  return async () => {
    const [next, now] = [randomUUID(), Date.now()]
    const rotation = { sessionId: session.id, fromTokenId: current, toTokenId: next, keyHash: null, expiresAt: now + DAY, now }
    if (!(await sessions.rotate(rotation))) throw new Error('a rotation was lost')
    current = next
  }
}

let operations: readonly Operation[] = []

export const methods = {
  open: async (given: WritesOptions): Promise<void> => {
    const storage = await openPostgres({ url: given.url, poolSize: given.connections })
    const callers = Array.from({ length: given.connections })
    if (given.what === 'refresh') operations = await Promise.all(callers.map(() => refreshing(storage, given)))
    else operations = callers.map(() => (given.what === 'project' ? creating : openingSessions)(storage, given))
  },
  round: (seconds: number) => repeat(operations, seconds),
}

answerCalls(methods)
