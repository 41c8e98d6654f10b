import { expect, it } from 'vitest'
import { changeCharacter } from './change-character.ts'

it('replaces exactly one character by another, wherever it is', () => {
  for (let at = 0; at < 4; at += 1) {
    const { text, change } = changeCharacter('AzA~', at)
    expect([...text].filter((character, index) => character !== 'AzA~'.charAt(index))).toEqual([change.to])
    expect(change).toEqual({ place: at + 1, from: 'AzA~'.charAt(at), to: text.charAt(at) })
  }
})

it('chooses a place within the text', () => {
  for (let round = 0; round < 100; round += 1) expect(changeCharacter('abc').text).toMatch(/^(?:Abc|aAc|abA)$/)
})
