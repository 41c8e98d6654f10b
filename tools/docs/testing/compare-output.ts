import { expect } from 'vitest'

const toPattern = (shown: string): RegExp =>
  new RegExp(`^${shown.replaceAll(/[.*+?^${}()|[\]\\]/g, String.raw`\$&`).replaceAll('…', String.raw`[\s\S]*?`)}$`)

const toMatcher = (_name: string, value: unknown): unknown => {
  if (value === '…') return expect.toSatisfy(() => true)
  return typeof value === 'string' ? expect.stringMatching(toPattern(value)) : value
}

/** Fails unless a page shows the actual output. `…` matches anything. JSON may have another layout. */
export const compareOutput = (shown: string, given: string, language: string): void => {
  if (language === 'json') expect(JSON.parse(given)).toStrictEqual(JSON.parse(shown, toMatcher))
  else expect(given.replaceAll('\r', '').trim()).toMatch(toPattern(shown.trim()))
}
