import type { MigratedStorage } from '@countersign/core/storage'
import { aNewUser, aSession } from '@countersign/core/testing'
import { expect, onTestFinished } from 'vitest'
import { type ProxiedConnection, startTcpProxy, type TcpProxy } from '../../../tools/testing/tcp-proxy.ts'
import { open, openMigrated } from './open-migrated.ts'

/** A storage that reaches its database through a proxy of the test, and a second storage that reaches the database directly. */
export interface Listening {
  /** The direct URL of the database. */
  readonly url: string
  readonly other: MigratedStorage
  readonly storage: MigratedStorage
  readonly proxy: TcpProxy
  /** Returns the newest open connection on which the storage listens. */
  listener(): ProxiedConnection
  /** Returns every other open connection of the storage. */
  workers(): readonly ProxiedConnection[]
  /** Opens a session of a new user; returns both ids. */
  openSession(): Promise<{ readonly id: string; readonly userId: number }>
  /** Returns whether the storage answers for a session without a query. */
  isRemembered(id: string): Promise<boolean>
  /** Repeats the call until the storage answers for the session from its cache. */
  untilRemembered(id: string): Promise<void>
}

/** Returns whether a promise settles without I/O. Microtasks run before `nextTick` callbacks, and both run before I/O. */
export const settlesNow = async (promise: Promise<unknown>): Promise<boolean> => {
  let isSettled = false
  const settle = () => {
    isSettled = true
  }
  promise.then(settle, settle)
  await Promise.resolve()
  await new Promise<void>((resolve) => process.nextTick(resolve))
  return isSettled
}

const isListener = ({ opening }: ProxiedConnection): boolean => opening.includes('countersign-listener')

/** @param database The URL of an existing database. Defaults to a new one. */
export const openListening = async (database?: string, changedAnswers?: (chunk: Buffer) => Buffer): Promise<Listening> => {
  const { url, storage: other } = await openMigrated(database)
  const proxy = await startTcpProxy(Number(new URL(url).port), changedAnswers)
  onTestFinished(() => proxy.close())
  const proxied = new URL(url)
  proxied.port = String(proxy.port)
  const storage = await open(proxied.href)

  const workers = () => proxy.connections.filter((connection) => connection.isOpen && !isListener(connection))
  const isRemembered = async (id: string): Promise<boolean> => {
    const status = storage.sessions.status(id)
    const isCached = await settlesNow(status)
    await status
    return isCached
  }

  return {
    url,
    other,
    storage,
    proxy,
    listener: () => {
      const found = proxy.connections.findLast((connection) => connection.isOpen && isListener(connection))
      if (found === undefined) throw new Error('the storage does not listen')
      return found
    },
    workers,
    openSession: async () => {
      const [user] = await other.users.create([aNewUser()])
      const session = aSession({ userId: user?.id ?? 0 })
      await other.sessions.open(session)
      return { id: session.id, userId: session.userId }
    },
    isRemembered,
    untilRemembered: (id) => expect.poll(() => isRemembered(id), { interval: 20 }).toBe(true),
  }
}
