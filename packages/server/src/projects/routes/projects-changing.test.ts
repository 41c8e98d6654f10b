import { describe, expect, it } from 'vitest'
import { createProjectApp } from '../../testing/project-app.ts'

const NOT_FOUND = { error: { code: 'NOT_FOUND', message: 'Project not found', details: {}, statusCode: 404 } }

describe('PATCH /api/v1/projects/{uniqueCode}', () => {
  it('changes the given members and returns the whole project', async () => {
    const test = await createProjectApp()
    const project = await test.create({ description: 'Old' })
    test.clock.advance(1000)
    const change = { name: 'Tunnel', contractValue: 7.25, description: '', status: 'on_hold', progress: 'delivering' }
    const input = { uniqueCode: project.uniqueCode, ...change }
    const { status, body } = await test.call('projects.update', input, { token: test.token })
    const data = { ...project, ...change, updatedAt: '2026-01-05T09:00:01.000Z' }
    expect([status, body]).toEqual([200, { data, message: 'Project updated' }])
    expect((await test.ask('projects.get', { uniqueCode: project.uniqueCode }, { token: test.token })).data).toEqual(data)
  })

  it('leaves omitted and read-only members unchanged', async () => {
    const test = await createProjectApp()
    const project = await test.create({ description: 'Old' })
    const given = { name: 'Tunnel', id: 'x', creatorId: 'x', products: 'x', createdAt: 'x', caller: 'admin' }
    const { data } = await test.ask('projects.update', { uniqueCode: project.uniqueCode, ...given }, { token: test.token })
    expect(data).toEqual({ ...project, name: 'Tunnel' })
  })

  it('accepts the answer of GET as input, extended or not', async () => {
    const test = await createProjectApp({ options: { projectStatuses: ['lost'] } })
    const project = await test.create({ description: 'Old', documentFileIds: ['file-1'] })
    const path = `/api/v1/projects/${project.uniqueCode}`
    for (const headers of [{}, { 'countersign-extended': '1' }]) {
      const sent = { token: test.token, headers }
      const { data } = (await test.send('GET', path, sent)).body as { data: object }
      const { status, body } = await test.send('PATCH', path, { ...sent, json: data })
      expect([status, body]).toEqual([200, { data, message: 'Project updated' }])
    }
  })
})

describe('PUT /api/v1/projects/{uniqueCode}/approved', () => {
  it('approves without a body, and repeatedly', async () => {
    const test = await createProjectApp()
    const project = await test.create()
    const path = `/api/v1/projects/${project.uniqueCode}/approved`
    for (const options of [{}, { json: {} }]) {
      const { status, body } = await test.send('PUT', path, { token: test.token, ...options })
      expect([status, body]).toEqual([200, { data: { ...project, status: 'approved' }, message: 'Project approved' }])
    }
  })
})

describe('PATCH /api/v1/projects/{uniqueCode}/progress', () => {
  it('moves a project to any stage, also backwards', async () => {
    const test = await createProjectApp()
    const project = await test.create()
    for (const progress of ['delivering', 'bidding', 'technical_negotiating'] as const) {
      const input = { uniqueCode: project.uniqueCode, progress }
      const { status, body } = await test.call('projects.setProgress', input, { token: test.token })
      expect([status, body]).toEqual([200, { data: { ...project, progress }, message: 'Project progress updated' }])
    }
  })

  it.each([{}, { progress: 'done' }, { progress: null }, { progress: ['bidding'] }])('refuses %j', async (given) => {
    const test = await createProjectApp()
    const { uniqueCode } = await test.create()
    const { status, body } = await test.call('projects.setProgress', { uniqueCode, ...given }, { token: test.token })
    expect([status, body]).toMatchObject([400, { error: { details: { progress: expect.stringMatching(/^must be one of /) } } }])
  })
})

describe('DELETE /api/v1/projects/{uniqueCode}', () => {
  it('answers 204 without a body, and the project can no longer be read or changed', async () => {
    const test = await createProjectApp()
    const { uniqueCode } = await test.create()
    const kept = await test.create({ name: 'Kept' })
    const { status, text, headers } = await test.call('projects.remove', { uniqueCode }, { token: test.token })
    expect([status, text, headers.get('content-type')]).toEqual([204, '', null])
    expect(headers.get('x-content-type-options')).toBe('nosniff')

    const { data, meta } = await test.ask('projects.list', {}, { token: test.token })
    expect(data.map(({ id }) => id)).toEqual([kept.id])
    expect(meta.total).toBe(1)
    expect((await test.ask('projects.list', { search: 'bridge' }, { token: test.token })).meta.total).toBe(0)
    for (const [name, more] of [
      ['projects.get', {}],
      ['projects.update', { name: 'x' }],
      ['projects.approve', {}],
      ['projects.setProgress', { progress: 'bidding' }],
      ['projects.remove', {}],
      ['projects.countResources', {}],
      ['projects.sumExpenses', {}],
    ] as const) {
      const answer = await test.call(name, { uniqueCode, ...more }, { token: test.token })
      expect([name, answer.status, answer.body]).toEqual([name, 404, NOT_FOUND])
    }
  })
})
