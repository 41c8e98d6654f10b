import { defaultOptions, generateKeyRing, systemRandom } from '@countersign/core'
import { afterAll, describe, expect, it, vi } from 'vitest'
import type { Setting } from './settings.ts'

vi.hoisted(() => vi.resetModules())
afterAll(() => void vi.resetModules())

const changed = vi.hoisted(() => {
  return { coolingOff: 7 * 3_600_000, numberMatching: true, removedProjectRetention: 'forever', enrolment: 'vouched' }
})

vi.mock('@countersign/core', async (original) => {
  const core = await original<typeof import('@countersign/core')>()
  const options = Object.entries(core.declaredOptions).map(([name, one]) => {
    return [name, name in changed ? { ...one, default: changed[name as keyof typeof changed] } : one]
  })
  return { ...core, declaredOptions: Object.fromEntries(options) as typeof core.declaredOptions }
})

const { checkConfig } = await import('./check-config.ts')
const { readConfig } = await import('./read-config.ts')
const { namedSettings, settings } = await import('./settings.ts')

const ring = generateKeyRing(systemRandom)
const productionKeys = {
  COUNTERSIGN_DATABASE_URL: 'sqlite:x.db',
  COUNTERSIGN_JWT_KEYS: ring,
  COUNTERSIGN_ENCRYPTION_KEYS: ring,
}

const shownDefault = ({ form, default: value }: Setting<unknown>): string => form.show?.(value ?? '') ?? String(value)
const withDefault = namedSettings.filter(([, setting]) => setting.default !== undefined && shownDefault(setting) !== '')

describe('a setting', () => {
  it('has a default that follows a change in the core', () => {
    expect(readConfig({})).toMatchObject(changed)
    expect(checkConfig({}).config).toMatchObject(changed)
    expect(shownDefault(settings.coolingOff)).toBe('25200')
  })

  it.each(withDefault)('%s has a default that its form reads', (_, setting) => {
    expect(setting.form.read(shownDefault(setting))).toEqual(setting.default)
  })

  it.each(namedSettings.filter(([name]) => name in defaultOptions))('%s has the default of the core', (name, setting) => {
    expect(setting.default).toEqual({ ...defaultOptions, ...changed }[name as keyof typeof defaultOptions])
  })

  it('of a group has the default of the core', () => {
    const { relyingParty, rateLimits } = readConfig({ ...productionKeys, NODE_ENV: 'production' })
    expect({ relyingParty, rateLimits }).toEqual({
      relyingParty: defaultOptions.relyingParty,
      rateLimits: defaultOptions.rateLimits,
    })
  })
})
