import { spawnSync } from 'node:child_process'
import { errors } from '@countersign/core'
import { aNewUser, aOneTimeCode } from '@countersign/core/testing'
import { describe, expect, it } from 'vitest'
import { createTestStorage } from './create-test-storage.ts'

describe('a database for one test', () => {
  it('shares nothing with another database', async () => {
    const [one, other] = [await createTestStorage(), await createTestStorage()]
    const user = aNewUser()
    await one.users.create([user])
    expect(await one.users.byEmail(user.email)).toBeDefined()
    expect(await other.users.byEmail(user.email)).toBeUndefined()
  })

  it('shows readers no rows of an open transaction or of a rolled-back transaction', async () => {
    const storage = await createTestStorage()
    const user = aNewUser()
    let during: Promise<unknown> | undefined
    let read = () => {}
    const asked = new Promise<void>((resolve) => {
      read = resolve
    }).then(() => {
      during = storage.users.byEmail(user.email)
    })
    const failing = storage.transaction(async (tx) => {
      await tx.users.create([user])
      read()
      await tx.users.byEmail(user.email)
      throw new Error('changed my mind')
    })
    await expect(failing).rejects.toThrow('changed my mind')
    await asked
    expect(during).toBeDefined()
    expect(await during).toBeUndefined()
  })

  it('enforces foreign keys', async () => {
    const storage = await createTestStorage()
    await expect(storage.oneTimeCodes.issue(aOneTimeCode({ userId: 7 }))).rejects.toThrow('FOREIGN KEY')
  })

  it('can be closed, and is unavailable afterwards', async () => {
    const storage = await createTestStorage()
    await storage.close()
    await expect(storage.users.byId(1)).rejects.toBeInstanceOf(errors.Unavailable)
  })
})

/** Makes a process behave as if these packages were not installed. */
const withoutTestLibraries = `
import { registerHooks } from 'node:module'
registerHooks({
  resolve: (specifier, context, next) => {
    if (/^(vitest|fast-check)($|\\/)/.test(specifier)) throw new Error(specifier + ' is not installed')
    return next(specifier, context)
  },
})`

it('the entry for tests of hosts is imported in a process without vitest and without fast-check', () => {
  const entry = JSON.stringify(new URL('./index.ts', import.meta.url).href)
  const code = `${withoutTestLibraries}\nconsole.log(Object.keys(await import(${entry})).sort().join())`
  const args = ['--conditions=@countersign/source', '--disable-warning=ExperimentalWarning', '--input-type=module', '-e', code]
  const { stdout, stderr } = spawnSync(process.execPath, args, { encoding: 'utf8' })
  expect({ stdout: stdout.trim(), stderr }).toStrictEqual({ stdout: 'createTestCountersign,createTestStorage', stderr: '' })
})
