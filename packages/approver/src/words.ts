import { signal } from '@preact/signals'
import ar from './languages/ar.json' with { type: 'json' }
import de from './languages/de.json' with { type: 'json' }
import en from './languages/en.json' with { type: 'json' }
import es from './languages/es.json' with { type: 'json' }
import fr from './languages/fr.json' with { type: 'json' }
import { settings } from './settings.ts'
import { stored } from './stored.ts'

/** The name of a text of the page. */
export type Word = keyof typeof en

/** The languages of the page, each with its own name. Signed words have languages of their own. */
export const languages = { en: 'English', de: 'Deutsch', fr: 'Français', es: 'Español', ar: 'العربية' } as const
type Language = keyof typeof languages

const all: Readonly<Record<Language, Readonly<Record<Word, string>>>> = { en, de, fr, es, ar }

const known = (tag: string | null | undefined): Language | undefined =>
  Object.keys(languages).find((language): language is Language => tag?.toLowerCase().split('-')[0] === language)

/** The language of the page: chosen by the person, set by the host, or of the browser. */
export const language = signal<Language>(
  known(stored.read('language')) ?? known(settings.language) ?? navigator.languages.map(known).find((tag) => tag) ?? 'en',
)

export const direction = (): 'rtl' | 'ltr' => (language.value === 'ar' ? 'rtl' : 'ltr')

export const chooseLanguage = (tag: string): void => {
  language.value = known(tag) ?? 'en'
  stored.write('language', language.value)
}

/** Returns a text of the page in its language, with values in the place of `{name}`. No value changes the direction of the text. */
export const t = (word: Word, values: Readonly<Record<string, string | number>> = {}): string =>
  all[language.value][word].replaceAll(/\{(\w+)\}/g, (_, name: string) => {
    const value = values[name]
    return typeof value === 'string' ? `\u2068${value}\u2069` : String(value ?? '')
  })

/** Joins texts to a list in the language of the page. */
export const listOf = (texts: readonly string[]): string => new Intl.ListFormat(language.value, { type: 'unit' }).format(texts)
