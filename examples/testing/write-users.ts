import { aNewUser } from '@countersign/core/testing'
import { openJournalStorage } from '../storage/journal-storage.ts'

/** Adds users to a journal until the process is killed, and prints the email of each acknowledged user. */
const { users } = await openJournalStorage(process.argv[2] ?? '')
for (;;) {
  const [user] = await users.create([aNewUser()])
  process.stdout.write(`${user?.email}\n`)
}
