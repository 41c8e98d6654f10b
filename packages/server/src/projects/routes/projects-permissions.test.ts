import { type OperationName, operations, projectErrorBody } from '@countersign/contract'
import { describe, expect, it } from 'vitest'
import { createProjectApp, type ProjectApp } from '../../testing/project-app.ts'

interface Row {
  readonly name: OperationName
  readonly needed: string
  /** Parameters in addition to the project code. */
  readonly input?: Readonly<Record<string, unknown>>
}

const rows: readonly Row[] = [
  { name: 'projects.list', needed: 'project.read' },
  { name: 'projects.get', needed: 'project.read' },
  { name: 'projects.countResources', needed: 'project.read' },
  { name: 'projects.sumExpenses', needed: 'project.read' },
  { name: 'projects.create', needed: 'project.create' },
  { name: 'projects.update', needed: 'project.update', input: { name: 'Tunnel' } },
  { name: 'projects.setProgress', needed: 'project.update', input: { progress: 'bidding' } },
  { name: 'projects.approve', needed: 'project.approve' },
  { name: 'projects.remove', needed: 'project.delete' },
]

const all = ['project.read', 'project.create', 'project.update', 'project.approve', 'project.delete']
const onProject = rows.filter(({ name }) => operations[name].path.includes('{uniqueCode}'))

const inputOf = (test: ProjectApp, { name, input }: Row, uniqueCode: string) =>
  name === 'projects.create' ? test.body() : { ...(operations[name].path.includes('{') ? { uniqueCode } : {}), ...input }

const FORBIDDEN = { error: { code: 'FORBIDDEN', message: 'Insufficient permissions', details: {}, statusCode: 403 } }

describe('every endpoint of the project service', () => {
  it('is listed in the table of permissions', () => {
    const named = Object.keys(operations).filter((name) => name.startsWith('projects.'))
    expect(rows.map(({ name }) => name).sort()).toEqual(named.sort())
  })

  it.each(rows)('$name requires $needed, and no other permission is enough', async (row) => {
    const test = await createProjectApp()
    const { uniqueCode } = await test.create()
    const others = all.filter((permission) => permission !== row.needed)
    const { token } = await test.signInWith(...others, 'project.readx', 'projects.*', 'order.*')
    const { status, body } = await test.call(row.name, inputOf(test, row, uniqueCode), { token })
    expect([status, body]).toEqual([403, FORBIDDEN])
    expect(projectErrorBody.parse(body)).toEqual(body)
  })

  it.each(rows)('$name accepts $needed, project.* and *.* only', async (row) => {
    const test = await createProjectApp()
    for (const permission of [row.needed, 'project.*', '*.*']) {
      const { uniqueCode } = await test.create()
      const { token } = await test.signInWith(permission)
      const { status } = await test.call(row.name, inputOf(test, row, uniqueCode), { token })
      expect(status).toBe(operations[row.name].success)
    }
  })

  it.each(onProject)('$name answers 404 for a missing project only to callers who can read projects', async (row) => {
    const test = await createProjectApp()
    const blind = await test.signInWith(...all.filter((permission) => permission !== 'project.read'))
    for (const uniqueCode of ['PRJ-2026-999999', 'x'.repeat(256), 'bell\u0007']) {
      const input = inputOf(test, row, uniqueCode)
      expect((await test.call(row.name, input, { token: blind.token })).status).toBe(403)
      const { status, body } = await test.call(row.name, input, { token: test.token })
      expect([status, body]).toMatchObject([404, { error: { code: 'NOT_FOUND', message: 'Project not found' } }])
    }
  })

  it('refuses a caller immediately after a permission was revoked, whatever the token contains', async () => {
    const test = await createProjectApp()
    await test.countersign.users.revoke({ email: test.user.email, permissions: ['project.*'] })
    expect((await test.call('projects.list', {}, { token: test.token })).status).toBe(403)
  })

  it('acts only as the user of the token', async () => {
    const test = await createProjectApp()
    const { token } = await test.signInWith()
    const caller = { userId: test.user.id, permissions: ['*.*'] }
    const answers = [
      await test.call('projects.create', { ...test.body(), caller }, { token }),
      await test.send('GET', '/api/v1/projects?caller=admin', { token }),
    ]
    expect(answers.map(({ status }) => status)).toEqual([403, 403])
  })
})
