import { afterEach, expect, it, vi } from 'vitest'

// The texts of the page depend on its address.
vi.stubGlobal('location', new URL('http://localhost/approve/'))
vi.stubGlobal('navigator', { languages: ['en'] })
const { showDate, showNearDate } = await import('./dates.ts')
const { language } = await import('./words.ts')

afterEach(() => {
  language.value = 'en'
})

const plain = (text: string): string => text.replaceAll(/[\u2068\u2069]/g, '').replaceAll(/[\u00a0\u202f]/g, ' ')
const at = (day: number, time: string): string => new Date(`2026-01-${String(day).padStart(2, '0')}T${time}:00`).toISOString()

it.each([
  ['en', ['en-GB'], '5 Jan 2026, 09:00'],
  ['en', ['en-US', 'de'], 'Jan 5, 2026, 9:00 AM'],
  ['de', ['en-GB', 'de-AT'], '05.01.2026, 09:00'],
  ['fr', ['de-CH'], '5 janv. 2026, 09:00'],
  ['de', ['C'], '05.01.2026, 09:00'],
  ['en', ['en-US@posix'], 'Jan 5, 2026, 9:00 AM'],
  ['de', ['en-US@posix', 'de'], '05.01.2026, 09:00'],
] as const)('a date in the language %s for a browser in %s is written %s', (tag, languages, text) => {
  vi.stubGlobal('navigator', { languages })
  language.value = tag
  expect(plain(showDate(at(5, '09:00')))).toBe(text)
})

it.each([
  ['en', 5, '18:24', '18:24'],
  ['en', 6, '06:20', 'tomorrow, 06:20'],
  ['en', 4, '23:59', 'yesterday, 23:59'],
  ['en', 8, '18:24', '8 January, 18:24'],
  ['de', 6, '06:20', 'morgen, 06:20'],
  ['fr', 6, '06:20', 'demain, 06:20'],
  ['es', 6, '06:20', 'mañana, 6:20'],
] as const)('in the language %s, on 5 January, day %s at %s is %s', (tag, day, time, text) => {
  vi.stubGlobal('navigator', { languages: [`${tag}-${tag === 'en' ? 'GB' : tag}`] })
  language.value = tag
  expect(plain(showNearDate(at(day, time), Date.parse(at(5, '09:00'))))).toBe(text)
})

it('a text that names today has the day and the time', () => {
  vi.stubGlobal('navigator', { languages: ['en-GB'] })
  expect(plain(showNearDate(at(5, '06:18'), Date.parse(at(5, '09:00')), true))).toBe('today, 06:18')
  expect(plain(showNearDate(at(4, '06:18'), Date.parse(at(5, '09:00')), true))).toBe('yesterday, 06:18')
})
