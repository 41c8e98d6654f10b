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

const rowOf = (setting: Setting<unknown>, page: string): string => {
  const start = `| \`${setting.variable}\` | `
  const [, meaning = ' '] = /^.* \|(.*)\|$/.exec(page.split('\n').find((line) => line.startsWith(start)) ?? '') ?? []
  return `${start}${defaultOf(setting)} | ${setting.form.takes.replaceAll('<', '\\<')} |${meaning}|`
}

/** Returns the page on operations with the current table of settings. The meanings of the variables are kept from the page. */
export const withSettings = (page: string): string =>
  page.replace(/^\| Variable \| Default \|.*(?:\n\|.*)*/m, () =>
    [HEAD, ...namedSettings.map(([, setting]) => rowOf(setting, page))].join('\n'),
  )
