import { batch, signal } from '@preact/signals'
import en from './languages/en.json' with { type: 'json' }
import { settings } from './settings.ts'
import { stored } from './stored.ts'

export type Word = keyof typeof en

/** The languages of the page, each with its own name. Signed words have languages of their own. */
export const languages = { en: 'English', de: 'Deutsch', fr: 'Français', es: 'Español', ar: 'العربية' } as const
type Language = keyof typeof languages

const known = (tag: string | null | undefined): Language | undefined =>
  Object.keys(languages).find((language): language is Language => tag?.toLowerCase().split('-')[0] === language)

/** The language of the page. It is English until the file of another language has arrived. */
export const language = signal<Language>('en')

const texts = signal<Partial<Record<Word, string>>>(en)

export const direction = (): 'rtl' | 'ltr' => (language.value === 'ar' ? 'rtl' : 'ltr')

/** Loads the file that the page names for a language, with its digest. The build orders its texts as those of English. */
const readTexts = async (tag: Language): Promise<Partial<Record<Word, string>>> => {
  if (tag === 'en') return en
  const link = document.querySelector<HTMLLinkElement>(`link[hreflang="${tag}"]`)
  const file = await fetch(link?.href ?? `${tag}.json`)
  if (!file.ok) throw new Error(`The texts in ${tag} are missing`)
  const list = (await file.json()) as readonly string[]
  return Object.fromEntries(Object.keys(en).map((word, index) => [word, list[index]]))
}

const show = async (tag: Language): Promise<void> => {
  const read = await readTexts(tag)
  batch(() => {
    language.value = tag
    texts.value = read
  })
}

/** Shows the page in the language that the person has chosen, the host has set, or the browser has. */
export const startLanguage = async (): Promise<void> => {
  const ofBrowser = () => navigator.languages.map(known).find((tag) => tag)
  // Without the file, the page speaks English.
  await show(known(stored.read('language')) ?? known(settings.language) ?? ofBrowser() ?? 'en').catch(() => {})
}

export const chooseLanguage = async (tag: string): Promise<void> => {
  const chosen = known(tag) ?? 'en'
  stored.write('language', chosen)
  await show(chosen)
}

/** Returns a text of the page in its language, with values in the place of `{name}`. No value changes the direction of the text. */
export const t = (word: Word, values: Readonly<Record<string, string | number>> = {}): string =>
  (texts.value[word] ?? en[word]).replaceAll(/\{(\w+)\}/g, (_, name: string) => {
    const value = values[name]
    return typeof value === 'string' ? `\u2068${value}\u2069` : String(value ?? '')
  })

/** Joins texts to a list in the language of the page: by commas, or with "and" before the last one. */
export const listOf = (texts: readonly string[], type: 'unit' | 'conjunction' = 'unit'): string =>
  new Intl.ListFormat(language.value, { type }).format(texts)
