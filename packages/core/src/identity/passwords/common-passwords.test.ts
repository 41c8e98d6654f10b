import { dictionary } from '@zxcvbn-ts/language-common'
import { expect, it } from 'vitest'
import { commonPasswords } from './common-passwords.ts'

const CHARACTERS_OF_A_LINE = 120

/** Returns the words in lines of about the same length. */
const inLines = (words: readonly string[]): string => {
  const lines = ['']
  for (const word of words) {
    const line = lines.at(-1) ?? ''
    if (line.length + 1 + word.length > CHARACTERS_OF_A_LINE) lines.push(word)
    else lines[lines.length - 1] = line === '' ? word : `${line} ${word}`
  }
  return lines.join('\n')
}

const least = 12
const words = dictionary['passwords-common'].filter((word) => [...word].length >= least)

it('the list has every entry of 12 and more characters of its source, and no other', async () => {
  // `vitest -u` writes the file again after an update of the source.
  await expect(`/*! From @zxcvbn-ts/language-common. MIT License. Copyright (c) 2012-2016 Dan Wheeler and Dropbox, Inc., (c) 2021 @zxcvbn-ts */

const words = \`
${inLines(words)}
\`

/** The commonest passwords of ${least} and more characters, in lower case. The test next to this file writes it. */
export const commonPasswords: ReadonlySet<string> = new Set(words.match(/\\S+/g))
`).toMatchFileSnapshot('common-passwords.ts')
  expect([...commonPasswords]).toStrictEqual(words)
  expect(words.filter((word) => /\s/.test(word) || word !== word.normalize('NFKC').toLowerCase())).toStrictEqual([])
})
