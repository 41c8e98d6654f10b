import { once } from 'node:events'
import { aNewUser } from '@countersign/core/testing'
import { openPostgres } from '../src/index.ts'

/** A child process with an open storage. It uses many connections, and closes the storage when it receives input. */
const storage = await openPostgres({ url: process.env.DATABASE_URL ?? '' })
await storage.migrate()
const [user] = await storage.users.create([aNewUser()])
await Promise.all(Array.from({ length: 10 }, () => storage.transaction((tx) => tx.users.byId(user?.id ?? 0))))
process.stdout.write('open\n')
await once(process.stdin, 'data')
process.stdin.destroy()
await storage.close()
