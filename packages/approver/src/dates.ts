import { language, t } from './words.ts'

/** The region of a person, such as `CH` for a browser in `de-CH`. A browser on Linux may name `C`, which is no language. */
const regionOf = (tag: string): string | undefined => {
  try {
    return new Intl.Locale(tag).region
  } catch {
    return undefined
  }
}

/** The language of the page, written as in the person's region: "05/01/2026" in the United Kingdom, "1/5/2026" in the USA. */
const locale = (): string => {
  const tags = navigator.languages
  const own = tags.find((tag) => tag.split('-')[0]?.toLowerCase() === language.value)
  const region = tags.map(regionOf).find((one) => one !== undefined)
  return own ?? (region === undefined ? language.value : `${language.value}-${region}`)
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
