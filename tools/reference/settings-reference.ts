import { namedSettings, type Setting } from '../../packages/server/src/config/settings.ts'

const shown = ({ form }: Setting<unknown>, value: unknown): string => {
  if (value === undefined || value === null) return ''
  const text = form.show?.(value) ?? String(value)
  return text === '' ? '' : `\`${text}\``
}

const defaultOf = (setting: Setting<unknown>): string => {
  const inProduction = shown(setting, setting.inProduction)
  const texts = [shown(setting, setting.default), inProduction && `in production ${inProduction}`, setting.note]
  return texts.filter((text) => text).join('; ') || 'none'
}

const HEAD = '| Variable | Default | Must be | Meaning |\n|---|---|---|---|'

/** What a setting takes. A long text that repeats the row above is written once. */
const takenBy = ({ form }: Setting<unknown>, above?: Setting<unknown>): string =>
  form === above?.form && form.takes.length > 100
    ? 'the same'
    : form.takes.replace('a whole number from ', '').replaceAll('<', '\\<')

const rowOf = (setting: Setting<unknown>, page: string, above?: Setting<unknown>): string => {
  const start = `| \`${setting.variable}\` | `
  const [, meaning = ' '] = /^.* \|(.*)\|$/.exec(page.split('\n').find((line) => line.startsWith(start)) ?? '') ?? []
  return `${start}${defaultOf(setting)} | ${takenBy(setting, above)} |${meaning}|`
}

/** Returns the page on operations with the current table of settings. The meanings of the variables are kept from the page. */
export const withSettings = (page: string): string =>
  page.replace(/^\| Variable \| Default \|.*(?:\n\|.*)*/m, () =>
    [HEAD, ...namedSettings.map(([, setting], at) => rowOf(setting, page, namedSettings[at - 1]?.[1]))].join('\n'),
  )
