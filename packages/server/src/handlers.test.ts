import { operations } from '@countersign/contract'
import { createCountersign, type Part } from '@countersign/core'
import { aKeyRing } from '@countersign/core/testing'
import { createTestCountersign, createTestStorage } from '@countersign/storage-sqlite/testing'
import { describe, expect, it } from 'vitest'
import { createApp } from './app.ts'

const { projects: _, ...storage } = await createTestStorage()
const keys = { jwtKeys: aKeyRing(), encryptionKeys: aKeyRing() }
const withoutProjects = createCountersign({ ...keys, storage, parts: ['identity', 'approvals'] })

const knownPaths = (app: ReturnType<typeof createApp>): readonly string[] =>
  [...new Set(Object.values(operations).map(({ path }) => path))].filter((path) => app.handles(path.replaceAll(/[{}]/g, '')))

const isOfProjects = (path: string): boolean => /^\/api\/v1\/(?:projects|product-schemas)/.test(path)

describe('an app', () => {
  it('has the routes of all parts of its Countersign', async () => {
    const all = knownPaths(createApp((await createTestCountersign()).countersign, { version: '1' }))
    expect(all).toHaveLength(new Set(Object.values(operations).map(({ path }) => path)).size)
    expect(knownPaths(createApp(withoutProjects, { version: '1' }))).toEqual(all.filter((path) => !isOfProjects(path)))
  })

  it('has the routes of the given parts only, and /health', async () => {
    const { countersign } = await createTestCountersign()
    const pathsOf = (...parts: Part[]) => knownPaths(createApp(countersign, { version: '1', parts }))
    expect(pathsOf('projects').filter((path) => !isOfProjects(path))).toEqual(['/health', '/health/live', '/health/ready'])
    expect(pathsOf('approvals')).toContain('/api/v1/auth/confirmation/initiate')
    expect(pathsOf('approvals')).not.toContain('/api/v1/auth/login')
    expect(pathsOf()).toEqual(['/health', '/health/live', '/health/ready'])
  })

  it('cannot have a part that its Countersign lacks', () => {
    expect(() => createApp(withoutProjects, { version: '1', parts: ['identity', 'projects'] })).toThrow(
      new RangeError('parts must be among the parts of the Countersign: identity, approvals'),
    )
  })
})
