import { generateKeyRing, systemRandom } from '@countersign/core'
import { signInNewDeviceUser } from '@countersign/core/testing'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { openCore } from '../testing/open-core.ts'
import { createWorkplace, type Workplace } from '../testing/run-command.ts'

let here: Workplace
beforeEach(() => {
  here = createWorkplace()
})
afterEach(() => here.remove())

const [oldKey, newKey] = [generateKeyRing(systemRandom), generateKeyRing(systemRandom)]
const kidOf = (key: string) => key.split(':')[0] ?? ''
const withKeys = (...keys: readonly string[]) => ({ env: { COUNTERSIGN_ENCRYPTION_KEYS: keys.join(',') } })
const rotate = ['keys', 'rotate', '--encryption'] as const

/** Stores a device with a push token under the old key. */
const givenDevice = async () => {
  const core = await openCore({ env: { ...here.env, ...withKeys(oldKey).env } })
  await signInNewDeviceUser(core, { pushToken: 'canary-push-token' })
  await core.close()
}

const keysOf = async (...keys: readonly string[]) => {
  const { code, stdout } = await here.run(['--json', 'doctor'], withKeys(...keys))
  const rows = JSON.parse(stdout) as readonly { readonly check: string; readonly detail: string }[]
  return { code, detail: rows.find(({ check }) => check === 'keys')?.detail }
}

describe('keys rotate --encryption', () => {
  it('encrypts the fields with the new key, so that doctor no longer needs the old key', async () => {
    await givenDevice()
    expect((await keysOf(newKey, oldKey)).detail).toContain(`of ${kidOf(oldKey)})`)
    expect(await here.json([...rotate], withKeys(newKey, oldKey))).toStrictEqual({
      kid: kidOf(newKey),
      complete: true,
      tables: expect.arrayContaining([
        { table: 'devices', fields: 1 },
        { table: 'device_registrations', fields: 2 },
      ]),
      unopened: [],
    })
    const { code, detail } = await keysOf(newKey)
    expect({ code, detail }).toMatchObject({ code: 0, detail: expect.stringContaining(`of ${kidOf(newKey)})`) })
    const again = (await here.json([...rotate], withKeys(newKey))) as { readonly tables: readonly { readonly fields: number }[] }
    expect(again.tables.filter(({ fields }) => fields > 0)).toStrictEqual([])
  })

  it('changes no decoy of any email until the old key is removed', async () => {
    await here.json(['migrate'])
    const decoysWith = async (...keys: readonly string[]) => {
      const { countersign, close } = await openCore({ env: { ...here.env, ...withKeys(...keys).env } })
      const { publicKey } = await countersign.passkeys.beginLogin({ email: 'nobody@example.test' })
      await close()
      return publicKey.allowCredentials
    }
    const decoys = await decoysWith(oldKey)
    expect(decoys).not.toHaveLength(0)
    expect(await decoysWith(oldKey, newKey)).toStrictEqual(decoys)
    expect(await decoysWith(newKey, oldKey)).toStrictEqual(decoys)
    expect(await here.json([...rotate], withKeys(newKey, oldKey))).toMatchObject({
      tables: expect.arrayContaining([{ table: 'secrets', fields: 1 }]),
    })
    expect(await decoysWith(newKey)).toStrictEqual(decoys)
  })

  it('tells people how many fields it encrypted in each table', async () => {
    await givenDevice()
    const { code, stdout, stderr } = await here.run([...rotate], withKeys(newKey, oldKey))
    expect(code).toBe(0)
    expect(stdout).toMatch(/device_registrations\t2/)
    expect(stderr).toBe(`Every stored field is encrypted with ${kidOf(newKey)}.\n`)
  })

  it('fails if the key of a field is missing, and changes nothing', async () => {
    await givenDevice()
    const { code, stdout, stderr } = await here.run(['--json', ...rotate], withKeys(newKey))
    expect(code).toBe(1)
    expect(JSON.parse(stdout)).toMatchObject({ complete: false, unopened: [{ kid: kidOf(oldKey), fields: expect.any(Number) }] })
    expect(stderr).toContain(`of key ${kidOf(oldKey)} cannot be opened`)
    expect(stderr).not.toContain('canary')
    expect((await keysOf(oldKey)).code).toBe(0)
  })

  it('is refused without the option --encryption', async () => {
    expect((await here.run(['keys', 'rotate'])).code).toBe(2)
  })
})
