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
  return { ...test, ...test.countersign, project, uniqueCode: project.uniqueCode, actor: await test.user(...permissions) }
}

describe('changing a project', () => {
  it('sets the given fields, keeps the others and returns the whole project', async () => {
    const { projects, project, uniqueCode, actor } = await setUp('project.update')
    const changed = await projects.update({ uniqueCode, name: 'A forge', contractValue: 0, status: 'lost', actor })
    expect(changed).toStrictEqual({ ...project, name: 'A forge', contractValue: 0, status: 'lost', updatedAt: clockStart + 1000 })
  })

  it('can clear the description', async () => {
    const { projects, uniqueCode, actor } = await setUp('project.update')
    expect(await projects.update({ uniqueCode, description: '', actor })).toMatchObject({ description: '' })
    expect(await projects.update({ uniqueCode, description: 'Again', name: null, actor })).toMatchObject({ description: 'Again' })
    expect(await projects.update({ uniqueCode, description: null, actor })).toMatchObject({ description: '' })
  })

  it('needs the permission', async () => {
    const { projects, uniqueCode, actor } = await setUp('project.read', 'project.create', 'project.approve', 'project.delete')
    await expect(projects.update({ uniqueCode, name: 'x', actor })).rejects.toThrow(Forbidden)
    await expect(projects.setProgress({ uniqueCode, progress: 'bidding', actor })).rejects.toThrow(Forbidden)
  })

  it('needs the permission to approve when it approves the project', async () => {
    const { projects, user, uniqueCode, actor } = await setUp('project.update', 'project.read')
    await expect(projects.update({ uniqueCode, status: 'approved', name: 'x', actor })).rejects.toThrow(Forbidden)
    expect(await projects.get({ uniqueCode, actor })).toMatchObject({ status: 'pending', name: 'A mill' })
    const approver = await user('project.update', 'project.approve')
    expect(await projects.update({ uniqueCode, status: 'approved', actor: approver })).toMatchObject({ status: 'approved' })
  })

  it.each(['on_hold_2', 'Completed', 'on hold', ' x ', 'x'.repeat(64), '🔐'.repeat(64), 'Erledigt – später', '完了'])(
    'takes the status %j, keeps it as given, and finds the project by exactly that',
    async (status) => {
      const { projects, uniqueCode, actor } = await setUp('project.update')
      expect(await projects.update({ uniqueCode, status, actor })).toMatchObject({ status })
      expect(await projects.list({ status, actor: 'admin' })).toMatchObject({ total: 1, projects: [{ status }] })
      for (const other of [status.toUpperCase(), status.toLowerCase(), `${status} `].filter((text) => text !== status)) {
        expect(await projects.list({ status: other, actor: 'admin' })).toMatchObject({ total: 0 })
      }
    },
  )

  it.each(['', 'x'.repeat(65), '🔐'.repeat(65), 'a\nb', 'a\tb', 'a\u0000', 'a\u007f', 'a\u0085', 'a\ud800'])(
    'does not take the status %j',
    async (status) => {
      const { projects, uniqueCode, actor } = await setUp('project.update')
      await expect(projects.update({ uniqueCode, status, actor })).rejects.toThrow(
        new Invalid({ status: 'must be text of 1 to 64 characters without control characters' }),
      )
    },
  )

  it('accepts only the statuses of the host when the host lists them', async () => {
    const strict = await createProjectTest({ options: { projectStatuses: ['pending', 'approved', 'lost'] } })
    const other = await strict.createProject()
    await expect(
      strict.countersign.projects.update({ uniqueCode: other.uniqueCode, status: 'on_hold', actor: 'admin' }),
    ).rejects.toThrow('status: must be one of pending, approved, lost')
  })

  it('keeps a status that is no longer in the list of the host', async () => {
    const before = await createProjectTest({ options: { projectStatuses: ['open', 'On hold'] } })
    const { uniqueCode, name } = await before.createProject()
    await before.countersign.projects.update({ uniqueCode, status: 'On hold', actor: 'admin' })
    const { projects } = (await createTestCountersign({ storage: before.storage, options: { projectStatuses: ['open'] } }))
      .countersign
    const changed = await projects.update({ uniqueCode, name: 'A forge', status: 'On hold', actor: 'admin' })
    expect([name, changed]).toMatchObject(['A mill', { name: 'A forge', status: 'On hold' }])
    await projects.update({ uniqueCode, status: 'open', actor: 'admin' })
    const attempt = projects.update({ uniqueCode, status: 'On hold', actor: 'admin' })
    await expect(attempt).rejects.toThrow('status: must be one of pending, approved, open')
  })

  it.each(['Approved', 'appr\u043Eved', '\u202Edevorppa'])(
    'is refused for everybody if it only looks like approved: %j',
    async (status) => {
      const { projects, uniqueCode, actor, user } = await setUp('project.update', 'project.read')
      const approver = await user('project.*')
      for (const by of [actor, approver, 'admin', await user()] as const) {
        await expect(projects.update({ uniqueCode, status, actor: by })).rejects.toThrow(
          new Invalid({ status: 'must be approved itself, or a text that does not look like it' }),
        )
      }
    },
  )

  it('accepts its own answer as input, and changes nothing', async () => {
    const { projects, uniqueCode, actor, clock } = await setUp('project.update', 'project.read')
    const shown = await projects.get({ uniqueCode, actor })
    clock.advance(1000)
    const changed = await projects.update({ ...shown, actor })
    expect(changed).toStrictEqual({ ...shown, updatedAt: clockStart + 2000 })
  })

  it.each([
    [{ currency: 'USD' }, ['currency']],
    [{ customerId: 'another' }, ['customerId']],
    [{ currency: 'USD', customerId: 'another', name: 'A forge' }, ['currency', 'customerId']],
  ])('is refused for another value of a fixed field, with the name of the field: %j', async (given, members) => {
    const { projects, project, uniqueCode, actor } = await setUp('project.update', 'project.read')
    const refusal = await projects.update({ uniqueCode, ...given, actor }).catch((error: unknown) => error)
    expect(refusal).toBeInstanceOf(Invalid)
    expect(Object.keys((refusal as Invalid).fields)).toStrictEqual(members)
    expect(await projects.get({ uniqueCode, actor })).toStrictEqual(project)
    const { currency, customerId } = project
    expect(await projects.update({ uniqueCode, currency, customerId, name: 'A forge', actor })).toMatchObject({ name: 'A forge' })
  })

  it('always accepts the statuses pending and approved', async () => {
    const { countersign, createProject } = await createProjectTest({ options: { projectStatuses: ['open', 'done'] } })
    const { uniqueCode, status } = await createProject()
    const update = (to: string) => countersign.projects.update({ uniqueCode, status: to, actor: 'admin' })
    for (const to of [status, 'done', 'approved', 'pending']) expect(await update(to)).toMatchObject({ status: to })
    await expect(update('lost')).rejects.toThrow('status: must be one of pending, approved, open, done')
  })

  it.each(projectProgressValues)('moves to the stage %s from any other', async (progress) => {
    const { projects, uniqueCode, actor } = await setUp('project.update')
    await projects.setProgress({ uniqueCode, progress: 'delivering', actor })
    expect(await projects.setProgress({ uniqueCode, progress, actor })).toMatchObject({ progress })
  })
})

describe('an approved project', () => {
  const setUpApproved = async (...permissions: readonly string[]) => {
    const given = await setUp(...permissions)
    return { ...given, approved: await given.projects.approve({ uniqueCode: given.uniqueCode, actor: 'admin' }) }
  }

  it.each([
    { name: 'A forge' },
    { contractValue: 1 },
    { status: 'pending' },
    { status: 'almost approved' },
    { description: 'Of tin', contractValue: 1000.01 },
    { currency: 'USD' },
  ])('is protected from a caller who may only update: %j', async (change) => {
    const { projects, uniqueCode, actor, approved, user } = await setUpApproved('project.update', 'project.read')
    await expect(projects.update({ uniqueCode, ...change, actor })).rejects.toThrow(Forbidden)
    expect(await projects.get({ uniqueCode, actor })).toStrictEqual(approved)
    if ('currency' in change) return
    const approver = await user('project.update', 'project.approve')
    expect(await projects.update({ uniqueCode, ...change, actor: approver })).toMatchObject(change)
  })

  it('accepts other fields from a caller who may update, and the current values of protected fields', async () => {
    const { projects, uniqueCode, actor, approved } = await setUpApproved('project.update', 'project.read')
    const { name, contractValue, currency, status } = approved
    const others = { description: 'Of tin', progress: 'bidding' } as const
    const given = { name, contractValue, currency, status, ...others }
    expect(await projects.update({ uniqueCode, ...given, actor })).toStrictEqual({ ...approved, ...others })
    expect(await projects.setProgress({ uniqueCode, progress: 'delivering', actor })).toMatchObject({ progress: 'delivering' })
  })

  it('stays protected if an older version has stored another spelling of its status', async () => {
    const { projects, storage, uniqueCode, actor } = await setUp('project.update', 'project.read')
    await storage.projects.projects.change(uniqueCode, { status: 'Approved' }, clockStart, () => {})
    await expect(projects.update({ uniqueCode, contractValue: 1, actor })).rejects.toThrow(Forbidden)
  })

  it('is never changed by a caller who may only update, also during the approval', async () => {
    const { projects, uniqueCode, actor } = await setUp('project.update', 'project.read')
    for (let round = 0; round < 20; round += 1) {
      await projects.update({ uniqueCode, status: 'pending', contractValue: round, actor: 'admin' })
      const [approved, changed] = await Promise.allSettled([
        projects.approve({ uniqueCode, actor: 'admin' }),
        projects.update({ uniqueCode, contractValue: 1_000_000, actor }),
      ])
      const { status, contractValue } = await projects.get({ uniqueCode, actor })
      const vouchedFor = approved.status === 'fulfilled' ? approved.value.contractValue : undefined
      expect({ status, contractValue }).toStrictEqual({ status: 'approved', contractValue: vouchedFor })
      expect(changed.status).toBe(contractValue === round ? 'rejected' : 'fulfilled')
    }
  })
})

describe('approving a project', () => {
  it('sets the status approved, from any status, also twice', async () => {
    const { projects, uniqueCode, actor } = await setUp('project.approve')
    expect(await projects.approve({ uniqueCode, actor })).toMatchObject({ status: 'approved', uniqueCode })
    expect(await projects.approve({ uniqueCode, actor })).toMatchObject({ status: 'approved' })
    expect(await projects.approve({ uniqueCode, actor: 'admin' })).toMatchObject({ status: 'approved' })
  })

  it('returns the approved project, also when others change it at the same moment', async () => {
    const { projects, uniqueCode } = await setUp()
    for (let round = 0; round < 10; round += 1) {
      const [approved, rejected] = await Promise.all([
        projects.approve({ uniqueCode, actor: 'admin' }),
        projects.update({ uniqueCode, status: 'rejected', actor: 'admin' }),
      ])
      expect([approved.status, rejected.status]).toStrictEqual(['approved', 'rejected'])
    }
    const [approved] = await Promise.all([
      projects.approve({ uniqueCode, actor: 'admin' }),
      projects.remove({ uniqueCode, actor: 'admin' }),
    ])
    expect(approved.status).toBe('approved')
  })

  it('needs the permission', async () => {
    const { projects, uniqueCode, actor } = await setUp('project.update', 'project.read')
    await expect(projects.approve({ uniqueCode, actor })).rejects.toThrow(Forbidden)
  })
})

describe('deleting a project', () => {
  it('hides the project for good', async () => {
    const { projects, resources, expenses, uniqueCode, actor } = await setUp('project.delete')
    await projects.remove({ uniqueCode, actor })
    for (const attempt of [
      () => projects.get({ uniqueCode, actor: 'admin' }),
      () => projects.update({ uniqueCode, name: 'x', actor: 'admin' }),
      () => projects.approve({ uniqueCode, actor: 'admin' }),
      () => projects.setProgress({ uniqueCode, progress: 'bidding', actor: 'admin' }),
      () => projects.remove({ uniqueCode, actor: 'admin' }),
      () => resources.count({ uniqueCode, actor: 'admin' }),
      () => expenses.sum({ uniqueCode, actor: 'admin' }),
    ]) {
      await expect(attempt()).rejects.toThrow(ProjectNotFound)
    }
    expect(await projects.list({ actor: 'admin' })).toMatchObject({ total: 0, projects: [] })
  })

  it('needs the permission', async () => {
    const { projects, uniqueCode, actor } = await setUp('project.read', 'project.update', 'project.approve')
    await expect(projects.remove({ uniqueCode, actor })).rejects.toThrow(Forbidden)
    expect(await projects.get({ uniqueCode, actor })).toMatchObject({ uniqueCode })
  })
})

describe('no error reveals whether a project exists', () => {
  it('to a caller who may not read projects: the error is Forbidden', async () => {
    const { projects, resources, expenses, uniqueCode, actor, user } = await setUp(
      'project.update',
      'project.approve',
      'project.delete',
    )
    const forbidden = new Forbidden().message
    const withoutRights = await user()
    const none = 'PRJ-2026-999999'
    for (const code of [uniqueCode, none]) {
      await expect(projects.get({ uniqueCode: code, actor })).rejects.toThrow(forbidden)
      await expect(resources.count({ uniqueCode: code, actor })).rejects.toThrow(forbidden)
      await expect(expenses.sum({ uniqueCode: code, actor })).rejects.toThrow(forbidden)
      await expect(projects.approve({ uniqueCode: code, actor: withoutRights })).rejects.toThrow(forbidden)
      await expect(projects.remove({ uniqueCode: code, actor: withoutRights })).rejects.toThrow(forbidden)
      await expect(projects.update({ uniqueCode: code, name: 'x', actor: withoutRights })).rejects.toThrow(forbidden)
    }
    for (const attempt of [
      projects.update({ uniqueCode: none, name: 'x', actor }),
      projects.setProgress({ uniqueCode: none, progress: 'bidding', actor }),
      projects.approve({ uniqueCode: none, actor }),
      projects.remove({ uniqueCode: none, actor }),
    ]) {
      await expect(attempt).rejects.toMatchObject({ kind: 'forbidden', code: 'forbidden', message: forbidden })
    }
  })

  it('while a caller who may read projects gets not found', async () => {
    const { projects, actor } = await setUp('project.*')
    await expect(projects.update({ uniqueCode: 'PRJ-2026-999999', name: 'x', actor })).rejects.toThrow(ProjectNotFound)
    await expect(projects.get({ uniqueCode: "'; drop table projects; --", actor })).rejects.toThrow(ProjectNotFound)
  })
})
