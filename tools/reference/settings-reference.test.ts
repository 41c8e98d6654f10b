import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { settings } from '../../packages/server/src/config/settings.ts'
import { DEFAULT_MAX_AGE } from '../../packages/storage-postgres/src/connection-settings.ts'
import { repository } from '../workspace.ts'
import { withSettings } from './settings-reference.ts'

describe('the list of settings in docs/operations.md', () => {
  const page = readFileSync(join(repository, 'docs', 'operations.md'), 'utf8')

  it('is current: npm run docs', () => {
    expect(page).toBe(withSettings(page))
  })

  it('says what each variable is for', () => {
    expect(page).not.toMatch(/^- `COUNTERSIGN_.*\n(?! {2}\S)/m)
  })

  it('has the default of the settings', () => {
    expect(withSettings(page.replace('`43200`', '`1`'))).toBe(page)
    expect(withSettings(page.replace(/^- `COUNTERSIGN_COOLING_OFF_SECONDS`: .*\n.*\n/m, ''))).toContain(
      '- `COUNTERSIGN_COOLING_OFF_SECONDS`: 1 to 31536000. Default: `43200`.\n  \n',
    )
  })

  it('has the age at which the PostgreSQL adapter replaces a connection', () => {
    expect(settings.databaseConnectionMaxAge.note).toBe(`\`${DEFAULT_MAX_AGE / 1000}\``)
  })
})
