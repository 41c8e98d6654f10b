import { describe, expect, it } from 'vitest'
import { publicPackages, type WorkspacePackage } from '../workspace.ts'
import type { Attempt } from './attempt.ts'
import { publish, publishOrder, tarballName } from './publish.ts'

const aPackage = (name: string, dependencies: Readonly<Record<string, string>> = {}): WorkspacePackage => ({
  name,
  directory: `/${name}`,
  manifest: { name, version: '1.2.3', exports: {}, dependencies },
})

const app = aPackage('@countersign/app', { '@countersign/core': '1.2.3', hono: '4' })
const core = aPackage('@countersign/core', { '@countersign/wire': '1.2.3' })
const wire = aPackage('@countersign/wire')

describe('publishing', () => {
  it('publishes every package after its dependencies', () => {
    expect(publishOrder([app, core, wire])).toEqual([wire, core, app])
    const names = publishOrder(publicPackages()).map(({ name }) => name)
    expect(names.indexOf('@countersign/contract')).toBeLessThan(names.indexOf('@countersign/core'))
    expect(names.indexOf('@countersign/core')).toBeLessThan(names.indexOf('@countersign/server'))
  })

  it('names the file of a package as pnpm does', () => {
    expect(tarballName(core)).toBe('countersign-core-1.2.3.tgz')
  })

  it.each([
    ['a dry run uploads nothing', true, ['--dry-run']],
    ['a release uploads', false, []],
  ])('%s', async (_, isDryRun, extra) => {
    const commands: string[][] = []
    const attempt: Attempt = async (command, args) => {
      commands.push([command, ...args])
      return { ok: true, output: '' }
    }
    expect(await publish(attempt, { packages: [wire], tarballs: '/packed', isDryRun })).toMatchObject({ ok: true })
    expect(commands).toEqual([['npm', 'publish', '/packed/countersign-wire-1.2.3.tgz', '--access', 'public', ...extra]])
  })

  it('stops at the first failure and names the packages that are published', async () => {
    const attempt: Attempt = async (_, args) => ({ ok: !args.some((word) => word.includes('core')), output: 'npm said no' })
    expect(await publish(attempt, { packages: [app, core, wire], tarballs: '/packed', isDryRun: false })).toEqual({
      ok: false,
      output: 'npm said no\n\nPublished before this: @countersign/wire',
    })
  })
})
