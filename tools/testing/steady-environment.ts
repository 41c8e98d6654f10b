import { accessSync, constants, mkdirSync, writeFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { delimiter, dirname, isAbsolute, join } from 'node:path'
import { repository } from '../workspace.ts'

/** Exists on every machine of its system, and prints UTF-8. */
const LOCALE = process.platform === 'darwin' ? 'en_US.UTF-8' : 'C.UTF-8'

const mayUse = (folder: string): boolean => {
  try {
    accessSync(folder, constants.R_OK | constants.X_OK)
    return isAbsolute(folder)
  } catch {
    return false
  }
}

const toXml = (text: string): string => text.replaceAll('&', '&amp;').replaceAll('<', '&lt;')

const families = { 'sans-serif': 'DejaVu Sans', 'system-ui': 'DejaVu Sans', serif: 'DejaVu Serif', monospace: 'DejaVu Sans Mono' }

/** Returns a configuration of fontconfig with the fonts of the repository, and with one way to draw them. */
const fontsConfig = (cache: string): string => {
  const fonts = join(dirname(createRequire(import.meta.url).resolve('dejavu-fonts-ttf/package.json')), 'ttf')
  const aliases = Object.entries(families).map(
    ([name, family]) => `<alias binding="same"><family>${name}</family><prefer><family>${family}</family></prefer></alias>`,
  )
  const styles = { antialias: '<bool>true</bool>', hinting: '<bool>true</bool>', hintstyle: '<const>hintslight</const>' }
  const edits = Object.entries(styles).map(([name, value]) => `<edit name="${name}" mode="assign">${value}</edit>`)
  return `<?xml version="1.0"?>
<!DOCTYPE fontconfig SYSTEM "fonts.dtd">
<fontconfig>
  <dir>${toXml(fonts)}</dir>
  <cachedir>${toXml(cache)}</cachedir>
  ${aliases.join('\n  ')}
  <match target="pattern">${edits.join('')}</match>
</fontconfig>
`
}

/** Writes the configuration of the fonts of tests. Returns its path. */
const writeFontsConfig = (): string => {
  const cache = join(repository, 'node_modules', '.cache', 'fonts')
  const path = join(cache, 'fonts.conf')
  mkdirSync(cache, { recursive: true })
  writeFileSync(path, fontsConfig(cache))
  return path
}

/**
 * Gives this process, and every process that it starts, an environment that is equal on all machines and for all users: the
 * locale, the time zone, the modes of new files, the fonts of browsers, and only such folders of programs as the user may read.
 * A program that is sought in another folder fails with EACCES, even if no folder has it.
 */
export const makeEnvironmentSteady = (): void => {
  process.umask(0o022)
  for (const name of Object.keys(process.env)) if (/^(?:LC_|LANG)/.test(name)) delete process.env[name]
  Object.assign(process.env, {
    LANG: LOCALE,
    TZ: 'UTC',
    PATH: (process.env.PATH ?? '').split(delimiter).filter(mayUse).join(delimiter),
    FONTCONFIG_FILE: writeFontsConfig(),
  })
}
