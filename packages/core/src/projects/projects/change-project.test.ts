import { projectProgressValues } from '@countersign/contract'
import { createTestCountersign } from '@countersign/storage-sqlite/testing'
import { describe, expect, it } from 'vitest'
import { createProjectTest } from '../../../test/create-project-test.ts'
import { Forbidden, Invalid } from '../../shared/errors.ts'
import { clockStart } from '../../testing/fake-clock.ts'
import { ProjectNotFound } from './errors.ts'

const setUp = async (...permissions: readonly string[]) => {
  const test = await createProjectTest()
  const project = await test.createProject({ description: 'Of brass' })
  test.clock.advance(1000)
  return { ...test, ...test.countersign, project, uniqueCode: project.uniqueCode, caller: await test.user(...permissions) }
}

describe('changing a project', () => {
  it('sets the given fields, keeps the others and returns the whole project', async () => {
    const { projects, project, uniqueCode, caller } = await setUp('project.update')
    const changed = await projects.update({ uniqueCode, name: 'A forge', contractValue: 0, status: 'lost', caller })
    expect(changed).toStrictEqual({ ...project, name: 'A forge', contractValue: 0, status: 'lost', updatedAt: clockStart + 1000 })
  })

  it('can clear the description', async () => {
    const { projects, uniqueCode, caller } = await setUp('project.update')
    expect(await projects.update({ uniqueCode, description: '', caller })).toMatchObject({ description: '' })
    expect(await projects.update({ uniqueCode, description: 'Again', name: null, caller })).toMatchObject({
      description: 'Again',
    })
    expect(await projects.update({ uniqueCode, description: null, caller })).toMatchObject({ description: '' })
  })

  it('needs the permission `project.update`', async () => {
    const { projects, uniqueCode, caller } = await setUp('project.read', 'project.create', 'project.approve', 'project.delete')
    await expect(projects.update({ uniqueCode, name: 'x', caller })).rejects.toThrow(Forbidden)
    await expect(projects.setProgress({ uniqueCode, progress: 'bidding', caller })).rejects.toThrow(Forbidden)
  })

  it('needs the permission to approve when it approves the project', async () => {
    const { projects, user, uniqueCode, caller } = await setUp('project.update', 'project.read')
    await expect(projects.update({ uniqueCode, status: 'approved', name: 'x', caller })).rejects.toThrow(Forbidden)
    expect(await projects.get({ uniqueCode, caller })).toMatchObject({ status: 'pending', name: 'A mill' })
    const approver = await user('project.update', 'project.approve')
    expect(await projects.update({ uniqueCode, status: 'approved', caller: approver })).toMatchObject({ status: 'approved' })
  })

  it.each(['on_hold_2', 'Completed', 'on hold', ' x ', 'x'.repeat(64), '🔐'.repeat(64), 'Erledigt – später', '完了'])(
    'takes the status %j, keeps it as given, and finds the project by exactly that',
    async (status) => {
      const { projects, uniqueCode, caller } = await setUp('project.update')
      expect(await projects.update({ uniqueCode, status, caller })).toMatchObject({ status })
      expect(await projects.list({ status, caller: 'admin' })).toMatchObject({ total: 1, projects: [{ status }] })
      for (const other of [status.toUpperCase(), status.toLowerCase(), `${status} `].filter((text) => text !== status)) {
        expect(await projects.list({ status: other, caller: 'admin' })).toMatchObject({ total: 0 })
      }
    },
  )

  it.each(['', 'x'.repeat(65), '🔐'.repeat(65), 'a\nb', 'a\tb', 'a\u0000', 'a\u007f', 'a\u0085', 'a\ud800'])(
    'does not take the status %j',
    async (status) => {
      const { projects, uniqueCode, caller } = await setUp('project.update')
      await expect(projects.update({ uniqueCode, status, caller })).rejects.toThrow(
        new Invalid({ status: 'must be text of 1 to 64 characters without control characters' }),
      )
    },
  )

  it('accepts only the statuses of the host when the host lists them', async () => {
    const strict = await createProjectTest({ options: { projectStatuses: ['pending', 'approved', 'lost'] } })
    const other = await strict.createProject()
    await expect(
      strict.countersign.projects.update({ uniqueCode: other.uniqueCode, status: 'on_hold', caller: 'admin' }),
    ).rejects.toThrow('status: must be one of pending, approved, lost')
  })

  it('keeps a status that is no longer in the list of the host', async () => {
    const before = await createProjectTest({ options: { projectStatuses: ['open', 'On hold'] } })
    const { uniqueCode, name } = await before.createProject()
    await before.countersign.projects.update({ uniqueCode, status: 'On hold', caller: 'admin' })
    const { projects } = (await createTestCountersign({ storage: before.storage, options: { projectStatuses: ['open'] } }))
      .countersign
    const changed = await projects.update({ uniqueCode, name: 'A forge', status: 'On hold', caller: 'admin' })
    expect([name, changed]).toMatchObject(['A mill', { name: 'A forge', status: 'On hold' }])
    await projects.update({ uniqueCode, status: 'open', caller: 'admin' })
    const attempt = projects.update({ uniqueCode, status: 'On hold', caller: 'admin' })
    await expect(attempt).rejects.toThrow('status: must be one of pending, approved, open')
  })

  it.each(['Approved', 'appr\u043Eved', '\u202Edevorppa'])(
    'is refused for everybody if it only looks like approved: %j',
    async (status) => {
      const { projects, uniqueCode, caller, user } = await setUp('project.update', 'project.read')
      const approver = await user('project.*')
      for (const by of [caller, approver, 'admin', await user()] as const) {
        await expect(projects.update({ uniqueCode, status, caller: by })).rejects.toThrow(
          new Invalid({ status: 'must be approved itself, or a text that does not look like it' }),
        )
      }
    },
  )

  it('accepts its own answer as input, and changes nothing', async () => {
    const { projects, uniqueCode, caller, clock } = await setUp('project.update', 'project.read')
    const shown = await projects.get({ uniqueCode, caller })
    clock.advance(1000)
    const changed = await projects.update({ ...shown, caller })
    expect(changed).toStrictEqual({ ...shown, updatedAt: clockStart + 2000 })
  })

  it.each([
    [{ currency: 'USD' }, ['currency']],
    [{ customerId: 'another' }, ['customerId']],
    [{ currency: 'USD', customerId: 'another', name: 'A forge' }, ['currency', 'customerId']],
  ])('is refused for another value of a fixed field, with the name of the field: %j', async (given, members) => {
    const { projects, project, uniqueCode, caller } = await setUp('project.update', 'project.read')
    const refusal = await projects.update({ uniqueCode, ...given, caller }).catch((error: unknown) => error)
    expect(refusal).toBeInstanceOf(Invalid)
    expect(Object.keys((refusal as Invalid).fields)).toStrictEqual(members)
    expect(await projects.get({ uniqueCode, caller })).toStrictEqual(project)
    const { currency, customerId } = project
    expect(await projects.update({ uniqueCode, currency, customerId, name: 'A forge', caller })).toMatchObject({
      name: 'A forge',
    })
  })

  it.each([{ name: '' }, { contractValue: -0.01 }, { contractValue: '7' }, { description: 7 }, { progress: 'done' }])(
    'is refused for a value that no project can have: %j',
    async (given) => {
      const { projects, project, uniqueCode, caller } = await setUp('project.update', 'project.read')
      const refusal = await projects.update({ uniqueCode, ...(given as object), caller }).catch((error: unknown) => error)
      expect(Object.keys((refusal as Invalid).fields)).toStrictEqual(Object.keys(given))
      expect(await projects.get({ uniqueCode, caller })).toStrictEqual(project)
    },
  )

  it('always accepts the statuses pending and approved', async () => {
    const { countersign, createProject } = await createProjectTest({ options: { projectStatuses: ['open', 'done'] } })
    const { uniqueCode, status } = await createProject()
    const update = (to: string) => countersign.projects.update({ uniqueCode, status: to, caller: 'admin' })
    for (const to of [status, 'done', 'approved', 'pending']) expect(await update(to)).toMatchObject({ status: to })
    await expect(update('lost')).rejects.toThrow('status: must be one of pending, approved, open, done')
  })

  it.each(projectProgressValues)('moves to the stage %s from any other', async (progress) => {
    const { projects, uniqueCode, caller } = await setUp('project.update')
    await projects.setProgress({ uniqueCode, progress: 'delivering', caller })
    expect(await projects.setProgress({ uniqueCode, progress, caller })).toMatchObject({ progress })
  })
})

describe('an approved project', () => {
  const setUpApproved = async (...permissions: readonly string[]) => {
    const given = await setUp(...permissions)
    return { ...given, approved: await given.projects.approve({ uniqueCode: given.uniqueCode, caller: 'admin' }) }
  }

  it.each([
    { name: 'A forge' },
    { contractValue: 1 },
    { status: 'pending' },
    { status: 'almost approved' },
    { description: 'Of tin', contractValue: 1000.01 },
    { currency: 'USD' },
  ])('is protected from a caller who may only update: %j', async (change) => {
    const { projects, uniqueCode, caller, approved, user } = await setUpApproved('project.update', 'project.read')
    await expect(projects.update({ uniqueCode, ...change, caller })).rejects.toThrow(Forbidden)
    expect(await projects.get({ uniqueCode, caller })).toStrictEqual(approved)
    if ('currency' in change) return
    const approver = await user('project.update', 'project.approve')
    expect(await projects.update({ uniqueCode, ...change, caller: approver })).toMatchObject(change)
  })

  it('accepts other fields from a caller who may update, and the current values of protected fields', async () => {
    const { projects, uniqueCode, caller, approved } = await setUpApproved('project.update', 'project.read')
    const { name, contractValue, currency, status } = approved
    const others = { description: 'Of tin', progress: 'bidding' } as const
    const given = { name, contractValue, currency, status, ...others }
    expect(await projects.update({ uniqueCode, ...given, caller })).toStrictEqual({ ...approved, ...others })
    expect(await projects.setProgress({ uniqueCode, progress: 'delivering', caller })).toMatchObject({ progress: 'delivering' })
  })

  it('stays protected if an older version has stored another spelling of its status', async () => {
    const { projects, storage, uniqueCode, caller } = await setUp('project.update', 'project.read')
    await storage.projects.projects.change(uniqueCode, { status: 'Approved' }, clockStart, () => {})
    await expect(projects.update({ uniqueCode, contractValue: 1, caller })).rejects.toThrow(Forbidden)
  })
})

describe('approving a project', () => {
  it('sets the status approved, from any status, also twice', async () => {
    const { projects, uniqueCode, caller } = await setUp('project.approve')
    expect(await projects.approve({ uniqueCode, caller })).toMatchObject({ status: 'approved', uniqueCode })
    expect(await projects.approve({ uniqueCode, caller })).toMatchObject({ status: 'approved' })
    expect(await projects.approve({ uniqueCode, caller: 'admin' })).toMatchObject({ status: 'approved' })
  })

  it('returns the approved project, also when others change it at the same moment', async () => {
    const { projects, uniqueCode } = await setUp()
    for (let round = 0; round < 10; round += 1) {
      const [approved, rejected] = await Promise.all([
        projects.approve({ uniqueCode, caller: 'admin' }),
        projects.update({ uniqueCode, status: 'rejected', caller: 'admin' }),
      ])
      expect([approved.status, rejected.status]).toStrictEqual(['approved', 'rejected'])
    }
    const [approved] = await Promise.all([
      projects.approve({ uniqueCode, caller: 'admin' }),
      projects.remove({ uniqueCode, caller: 'admin' }),
    ])
    expect(approved.status).toBe('approved')
  })

  it('needs the permission `project.approve`', async () => {
    const { projects, uniqueCode, caller } = await setUp('project.update', 'project.read')
    await expect(projects.approve({ uniqueCode, caller })).rejects.toThrow(Forbidden)
  })
})

describe('deleting a project', () => {
  it('hides the project for good', async () => {
    const { projects, resources, expenses, uniqueCode, caller } = await setUp('project.delete')
    await projects.remove({ uniqueCode, caller })
    for (const attempt of [
      () => projects.get({ uniqueCode, caller: 'admin' }),
      () => projects.update({ uniqueCode, name: 'x', caller: 'admin' }),
      () => projects.approve({ uniqueCode, caller: 'admin' }),
      () => projects.setProgress({ uniqueCode, progress: 'bidding', caller: 'admin' }),
      () => projects.remove({ uniqueCode, caller: 'admin' }),
      () => resources.count({ uniqueCode, caller: 'admin' }),
      () => expenses.sum({ uniqueCode, caller: 'admin' }),
    ]) {
      await expect(attempt()).rejects.toThrow(ProjectNotFound)
    }
    expect(await projects.list({ caller: 'admin' })).toMatchObject({ total: 0, projects: [] })
  })

  it('needs the permission `project.delete`', async () => {
    const { projects, uniqueCode, caller } = await setUp('project.read', 'project.update', 'project.approve')
    await expect(projects.remove({ uniqueCode, caller })).rejects.toThrow(Forbidden)
    expect(await projects.get({ uniqueCode, caller })).toMatchObject({ uniqueCode })
  })
})

describe('no error reveals whether a project exists', () => {
  it('to a caller who cannot read projects: the error is Forbidden', async () => {
    const { projects, resources, expenses, uniqueCode, caller, user } = await setUp(
      'project.update',
      'project.approve',
      'project.delete',
    )
    const forbidden = new Forbidden().message
    const withoutRights = await user()
    const none = 'PRJ-2026-999999'
    for (const code of [uniqueCode, none]) {
      await expect(projects.get({ uniqueCode: code, caller })).rejects.toThrow(forbidden)
      await expect(resources.count({ uniqueCode: code, caller })).rejects.toThrow(forbidden)
      await expect(expenses.sum({ uniqueCode: code, caller })).rejects.toThrow(forbidden)
      await expect(projects.approve({ uniqueCode: code, caller: withoutRights })).rejects.toThrow(forbidden)
      await expect(projects.remove({ uniqueCode: code, caller: withoutRights })).rejects.toThrow(forbidden)
      await expect(projects.update({ uniqueCode: code, name: 'x', caller: withoutRights })).rejects.toThrow(forbidden)
    }
    for (const attempt of [
      projects.update({ uniqueCode: none, name: 'x', caller }),
      projects.setProgress({ uniqueCode: none, progress: 'bidding', caller }),
      projects.approve({ uniqueCode: none, caller }),
      projects.remove({ uniqueCode: none, caller }),
    ]) {
      await expect(attempt).rejects.toMatchObject({ kind: 'forbidden', code: 'forbidden', message: forbidden })
    }
  })

  it('while a caller who may read projects gets not found', async () => {
    const { projects, caller } = await setUp('project.*')
    await expect(projects.update({ uniqueCode: 'PRJ-2026-999999', name: 'x', caller })).rejects.toThrow(ProjectNotFound)
    await expect(projects.get({ uniqueCode: "'; drop table projects; --", caller })).rejects.toThrow(ProjectNotFound)
  })
})
