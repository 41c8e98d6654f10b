import { aNewUser } from '@countersign/core/testing'
import { openJournalStorage } from '../storage/journal-storage.ts'

/** Adds users to a journal until it is killed, and says the email of each once it is acknowledged. */
const { users } = await openJournalStorage(process.argv[2] ?? '')
for (;;) {
  const user = await users.create(aNewUser())
  process.stdout.write(`${user?.email}\n`)
}
