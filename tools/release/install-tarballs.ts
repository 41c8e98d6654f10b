import { readdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { capture, type Outcome } from '../capture.ts'

/** Installs the packed files, and what they depend on, with npm in the empty folder `app`. */
export const installTarballs = (tarballs: string, app: string): Promise<Outcome> => {
  writeFileSync(join(app, 'package.json'), JSON.stringify({ name: 'first-five-minutes', private: true, type: 'module' }))
  const files = readdirSync(tarballs).map((file) => join(tarballs, file))
  return capture('npm', ['install', '--no-audit', '--no-fund', '--loglevel=error', ...files], app)
}
