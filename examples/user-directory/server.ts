import { argon2Hasher } from '@countersign/core'
import { serve } from '@hono/node-server'
import { closeOnSignals, stopServing } from '../close-on-signals.ts'
import { open } from '../open.ts'
import { memberDirectory } from './member-directory.ts'
import { openMembers } from './members.ts'

const members = openMembers(process.env.MEMBERS_DATABASE ?? 'members.db')
if (members.byEmail('ada@example.com') === undefined) {
  const passwordHash = await argon2Hasher().hash('correct horse battery staple')
  const ada = { email: 'Ada@example.com', displayName: 'Ada', team: 'Engines', leftOn: null }
  members.setPermissions(members.add({ ...ada, passwordHash }), ['*.*'])
}

const { fetch, host, port, close } = await open({ users: memberDirectory(members) })
const server = serve({ fetch, hostname: host, port }, (address) => {
  console.log(`http://${host}:${address.port}`)
})
closeOnSignals(
  () => stopServing(server),
  close,
  async () => members.close(),
)
