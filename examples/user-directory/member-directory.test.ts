import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describeUserDirectory } from '@countersign/core/testing/contract'
import { createTestStorage } from '@countersign/storage-sqlite/testing'
import { describe, expect, it } from 'vitest'
import { bearer, logIn, type Send } from '../testing/describe-host.ts'
import { createWorkplace, startExample } from '../testing/start-example.ts'
import { memberDirectory } from './member-directory.ts'
import { openMembers } from './members.ts'

describeUserDirectory('the members of a host', async () => {
  const directory = mkdtempSync(join(tmpdir(), 'countersign-members-'))
  const members = openMembers(join(directory, 'members.db'))
  const leftOn = (disabled: boolean) => (disabled ? '2026-01-01' : null)
  return {
    users: memberDirectory(members),
    storage: await createTestStorage(),
    add: async ({ email, passwordHash, disabled }) =>
      String(members.add({ email, displayName: 'Ada', team: '', passwordHash, leftOn: leftOn(disabled) })),
    change: async (id, { email, passwordHash, disabled }) => {
      if (email !== undefined) members.setEmail(Number(id), email)
      if (passwordHash !== undefined) members.setPassword(Number(id), passwordHash)
      if (disabled !== undefined) members.setLeftOn(Number(id), leftOn(disabled))
    },
    permit: async (id, permissions) => members.setPermissions(Number(id), permissions),
    remove: async (id) => members.remove(Number(id)),
    close: async () => {
      members.close()
      rmSync(directory, { recursive: true })
    },
  }
})

describe('the server', () => {
  it("accepts a member of the host's table, and refuses the member once the table says that they have left", async () => {
    const workplace = createWorkplace()
    const path = join(workplace.directory, 'members.db')
    const example = await startExample('user-directory/server.ts', {
      ...workplace,
      env: { ...workplace.env, MEMBERS_DATABASE: path },
    })
    const members = openMembers(path)
    try {
      const send: Send = (target, init) => fetch(new URL(target, example.url), init)
      const token = await logIn(send)
      const devices = () => send('/api/v1/auth/devices', bearer(token))
      expect((await devices()).status).toBe(200)
      members.setLeftOn(members.byEmail('ada@example.com')?.id ?? 0, '2026-01-01')
      expect((await devices()).status).toBe(401)
      expect(await example.stop()).toBe(0)
    } finally {
      await example.stop()
      members.close()
      workplace.remove()
    }
  })
})
