import { projectProgressValues } from '@countersign/contract'
import { describe, expect, it } from 'vitest'
import { Forbidden, Invalid } from '../errors.ts'
import { clockStart } from '../testing/fake-clock.ts'
import { createProjectOffice } from '../testing/project-office.ts'
import { ProjectNotFound } from './errors.ts'

const setUp = async (...permissions: readonly string[]) => {
  const office = await createProjectOffice()
  const project = await office.createProject({ description: 'Of brass' })
  office.clock.advance(1000)
  return { ...office, ...office.countersign, project, uniqueCode: project.uniqueCode, actor: await office.user(...permissions) }
}

describe('changing a project', () => {
  it('sets what is given, keeps the rest and shows it whole', async () => {
    const { projects, project, uniqueCode, actor } = await setUp('project.update')
    const changed = await projects.update({ uniqueCode, name: 'A forge', contractValue: 0, status: 'lost', actor })
    expect(changed).toStrictEqual({ ...project, name: 'A forge', contractValue: 0, status: 'lost', updatedAt: clockStart + 1000 })
  })

  it('can empty the description', async () => {
    const { projects, uniqueCode, actor } = await setUp('project.update')
    expect(await projects.update({ uniqueCode, description: '', actor })).toMatchObject({ description: '' })
    expect(await projects.update({ uniqueCode, description: 'Again', name: null, actor })).toMatchObject({ description: 'Again' })
    expect(await projects.update({ uniqueCode, description: null, actor })).toMatchObject({ description: '' })
  })

  it('needs the right to', async () => {
    const { projects, uniqueCode, actor } = await setUp('project.read', 'project.create', 'project.approve', 'project.delete')
    await expect(projects.update({ uniqueCode, name: 'x', actor })).rejects.toThrow(Forbidden)
    await expect(projects.setProgress({ uniqueCode, progress: 'bidding', actor })).rejects.toThrow(Forbidden)
  })

  it('needs the right to approve as well where it approves', async () => {
    const { projects, user, uniqueCode, actor } = await setUp('project.update', 'project.read')
    await expect(projects.update({ uniqueCode, status: 'approved', name: 'x', actor })).rejects.toThrow(Forbidden)
    expect(await projects.get({ uniqueCode, actor })).toMatchObject({ status: 'pending', name: 'A mill' })
    const approver = await user('project.update', 'project.approve')
    expect(await projects.update({ uniqueCode, status: 'approved', actor: approver })).toMatchObject({ status: 'approved' })
  })

  it('takes any status of the right form, or those of the host alone', async () => {
    const { projects, uniqueCode, actor } = await setUp('project.update')
    expect(await projects.update({ uniqueCode, status: 'on_hold_2', actor })).toMatchObject({ status: 'on_hold_2' })
    await expect(projects.update({ uniqueCode, status: 'On hold', actor })).rejects.toThrow(Invalid)
    const strict = await createProjectOffice({ options: { projectStatuses: ['pending', 'approved', 'lost'] } })
    const other = await strict.createProject()
    await expect(
      strict.countersign.projects.update({ uniqueCode: other.uniqueCode, status: 'on_hold', actor: 'admin' }),
    ).rejects.toThrow('status: must be one of pending, approved, lost')
  })

  it('may always say pending and approved, which the rules give themselves', async () => {
    const { countersign, createProject } = await createProjectOffice({ options: { projectStatuses: ['open', 'done'] } })
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

describe('approving a project', () => {
  it('makes it approved, from any status, and again', async () => {
    const { projects, uniqueCode, actor } = await setUp('project.approve')
    expect(await projects.approve({ uniqueCode, actor })).toMatchObject({ status: 'approved', uniqueCode })
    expect(await projects.approve({ uniqueCode, actor })).toMatchObject({ status: 'approved' })
    expect(await projects.approve({ uniqueCode, actor: 'admin' })).toMatchObject({ status: 'approved' })
  })

  it('shows it approved, whatever others make of it at the same moment', async () => {
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

  it('needs the right to', async () => {
    const { projects, uniqueCode, actor } = await setUp('project.update', 'project.read')
    await expect(projects.approve({ uniqueCode, actor })).rejects.toThrow(Forbidden)
  })
})

describe('deleting a project', () => {
  it('hides it for good', async () => {
    const { projects, resources, expenses, uniqueCode, actor } = await setUp('project.delete')
    await projects.remove({ uniqueCode, actor })
    for (const attempt of [
      projects.get({ uniqueCode, actor: 'admin' }),
      projects.update({ uniqueCode, name: 'x', actor: 'admin' }),
      projects.approve({ uniqueCode, actor: 'admin' }),
      projects.setProgress({ uniqueCode, progress: 'bidding', actor: 'admin' }),
      projects.remove({ uniqueCode, actor: 'admin' }),
      resources.count({ uniqueCode, actor: 'admin' }),
      expenses.sum({ uniqueCode, actor: 'admin' }),
    ]) {
      await expect(attempt).rejects.toThrow(ProjectNotFound)
    }
    expect(await projects.list({ actor: 'admin' })).toMatchObject({ total: 0, projects: [] })
  })

  it('needs the right to', async () => {
    const { projects, uniqueCode, actor } = await setUp('project.read', 'project.update', 'project.approve')
    await expect(projects.remove({ uniqueCode, actor })).rejects.toThrow(Forbidden)
    expect(await projects.get({ uniqueCode, actor })).toMatchObject({ uniqueCode })
  })
})

describe('no error tells whether a project exists', () => {
  it('to those who may not read projects: it is the same as for lacking the right', async () => {
    const { projects, resources, expenses, uniqueCode, actor, user } = await setUp(
      'project.update',
      'project.approve',
      'project.delete',
    )
    const forbidden = new Forbidden().message
    const nobody = await user()
    const none = 'PRJ-2026-999999'
    for (const code of [uniqueCode, none]) {
      await expect(projects.get({ uniqueCode: code, actor })).rejects.toThrow(forbidden)
      await expect(resources.count({ uniqueCode: code, actor })).rejects.toThrow(forbidden)
      await expect(expenses.sum({ uniqueCode: code, actor })).rejects.toThrow(forbidden)
      await expect(projects.approve({ uniqueCode: code, actor: nobody })).rejects.toThrow(forbidden)
      await expect(projects.remove({ uniqueCode: code, actor: nobody })).rejects.toThrow(forbidden)
      await expect(projects.update({ uniqueCode: code, name: 'x', actor: nobody })).rejects.toThrow(forbidden)
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

  it('while those who may read are told', async () => {
    const { projects, actor } = await setUp('project.*')
    await expect(projects.update({ uniqueCode: 'PRJ-2026-999999', name: 'x', actor })).rejects.toThrow(ProjectNotFound)
    await expect(projects.get({ uniqueCode: "'; drop table projects; --", actor })).rejects.toThrow(ProjectNotFound)
  })
})
