import { expect, it } from 'vitest'
import ar from './languages/ar.json' with { type: 'json' }
import de from './languages/de.json' with { type: 'json' }
import en from './languages/en.json' with { type: 'json' }
import es from './languages/es.json' with { type: 'json' }
import fr from './languages/fr.json' with { type: 'json' }

const placesIn = (text: string): readonly string[] => (text.match(/\{\w+\}/g) ?? []).sort()

it.each(Object.entries({ de, fr, es, ar }))(
  'the page has every text in the language %s, with the same places for values',
  (_, texts) => {
    expect(Object.keys(texts)).toStrictEqual(Object.keys(en))
    for (const [word, text] of Object.entries<string>(texts)) {
      expect([word, text.trim()]).toStrictEqual([word, text])
      expect([word, ...placesIn(text)]).toStrictEqual([word, ...placesIn(en[word as keyof typeof en])])
    }
  },
)
