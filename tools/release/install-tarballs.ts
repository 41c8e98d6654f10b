import { readdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Outcome } from '../capture.ts'
import type { Attempt } from './attempt.ts'

/** Installs the packed files and their dependencies, with npm, in the empty folder `app`. */
export const installTarballs = (attempt: Attempt, tarballs: string, app: string): Promise<Outcome> => {
  writeFileSync(join(app, 'package.json'), JSON.stringify({ name: 'first-five-minutes', private: true, type: 'module' }))
  const files = readdirSync(tarballs).map((file) => join(tarballs, file))
  return attempt('npm', ['install', '--no-audit', '--no-fund', '--loglevel=error', ...files], app)
}
