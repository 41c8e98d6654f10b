import { namedSettings, type Setting } from '../../packages/server/src/config/settings.ts'

const shown = ({ form }: Setting<unknown>, value: unknown): string => {
  if (value === undefined || value === null) return ''
  const text = form.show?.(value) ?? String(value)
  return text === '' ? '' : `\`${text}\``
}

const defaultOf = (setting: Setting<unknown>): string => {
  const inProduction = shown(setting, setting.inProduction)
  const texts = [shown(setting, setting.default), inProduction && `in production ${inProduction}`, setting.note]
  return texts.filter((text) => text).join('; ')
}

/** Returns the values that a setting accepts. A long text is written once, for the first setting with it. */
const takenBy = ({ variable, form: { takes } }: Setting<unknown>): string => {
  const [, first] = namedSettings.find(([, { form }]) => form.takes === takes) ?? []
  return first !== undefined && first.variable !== variable && takes.length > 30
    ? `as \`${first.variable}\``
    : takes.replace(/^(?:a whole number from|one of) /, '').replaceAll('<', '\\<')
}

const entryOf = (setting: Setting<unknown>, page: string): string => {
  const start = `- \`${setting.variable}\`: `
  const lines = page.split('\n')
  const next = lines[lines.findIndex((line) => line.startsWith(start)) + 1]
  const value = defaultOf(setting)
  return `${start}${takenBy(setting)}.${value === '' ? '' : ` Default: ${value}.`}\n${next?.startsWith('  ') ? next : '  '}`
}

/** Returns the page on operations with the current list of settings. The meanings of the variables are kept from the page. */
export const withSettings = (page: string): string =>
  page.replace(/^- `COUNTERSIGN_DATABASE_URL`: .*\n(?:(?:- `COUNTERSIGN_| {2}).*\n)*/m, () =>
    namedSettings.map(([, setting]) => `${entryOf(setting, page)}\n`).join(''),
  )
