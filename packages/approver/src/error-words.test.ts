import { clientErrors, codeOfStatus, errorDescriptions } from '@countersign/contract'
import { expect, it } from 'vitest'
import { errorWords, serviceWords } from './error-words.ts'
import en from './languages/en.json' with { type: 'json' }

it('the page has words of its own for each code of the client, and none shows a message of the service', () => {
  const codes = [...Object.keys(clientErrors), ...Object.values(codeOfStatus), 'CONFIRMATION_REQUIRED']
  expect(Object.keys(errorWords).sort()).toEqual([...new Set(codes)].sort())
  for (const word of [...Object.values(errorWords), ...Object.values(serviceWords)]) {
    expect([word, en[word]]).toEqual([word, expect.any(String)])
    expect(en[word]).not.toContain('{message}')
  }
})

it('the exact words of the page are for codes that the service has', () => {
  for (const code of Object.keys(serviceWords)) expect(Object.keys(errorDescriptions)).toContain(code)
})
