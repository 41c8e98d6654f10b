import { language, t } from './words.ts'

/** The languages of the browser that dates can have. A browser on Linux may name `C` or `en-US@posix`, which are none. */
const localesOfBrowser = (): readonly Intl.Locale[] =>
  navigator.languages.flatMap((tag) => {
    try {
      return [new Intl.Locale(tag.split('@')[0] ?? '')]
    } catch {
      return []
    }
  })

/** The language of the page, written as in the person's region: "05/01/2026" in the United Kingdom, "1/5/2026" in the USA. */
const locale = (): string => {
  const all = localesOfBrowser()
  const own = all.find((one) => one.language === language.value)
  const region = all.find((one) => one.region !== undefined)?.region
  return own?.toString() ?? (region === undefined ? language.value : `${language.value}-${region}`)
}

const format = (time: number, options: Intl.DateTimeFormatOptions): string =>
  new Intl.DateTimeFormat(locale(), options).format(time)

/** The number of midnights between two times. */
const daysBetween = (from: number, to: number): number =>
  Math.round((new Date(to).setHours(0, 0, 0, 0) - new Date(from).setHours(0, 0, 0, 0)) / 86_400_000)

/** Shows an ISO 8601 timestamp as the region of the person writes it: "5 Jan 2026, 09:00". */
export const showDate = (timestamp: string): string => format(Date.parse(timestamp), { dateStyle: 'medium', timeStyle: 'short' })

/** Shows the day of an ISO 8601 timestamp: "5 Jan 2026". */
export const showDay = (timestamp: string): string => format(Date.parse(timestamp), { dateStyle: 'medium' })

/** Shows a time near to now: "09:00", "tomorrow, 06:20", "28 November, 18:24". A text that names today says "today, 09:00". */
export const showNearDate = (timestamp: string | number, now: number, isTodayNamed = false): string => {
  const at = new Date(timestamp).getTime()
  const time = format(at, { timeStyle: 'short' })
  const days = daysBetween(now, at)
  if (days === 0 && !isTodayNamed) return time
  const isNear = Math.abs(days) <= 1
  const day = isNear
    ? new Intl.RelativeTimeFormat(locale(), { numeric: 'auto' }).format(days, 'day')
    : format(at, { day: 'numeric', month: 'long', ...(Math.abs(days) > 180 && { year: 'numeric' }) })
  return t('dayAndTime', { day, time })
}
