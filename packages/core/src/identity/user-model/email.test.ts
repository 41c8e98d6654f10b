import { assert, property, string } from 'fast-check'
import { describe, expect, it } from 'vitest'
import { anyCharacter } from '../../testing/any-character.ts'
import { complaintAboutEmail, hostSpelling, normaliseEmail } from './email.ts'

/** The characters that a normalisation or a folding changes, and the invisible ones. */
const changing = Array.from({ length: 0x110000 }, (_, code) => String.fromCodePoint(code)).filter((character) =>
  /\p{Changes_When_NFKC_Casefolded}/u.test(character),
)

describe('normalising an email', () => {
  it('returns a text of half a million combining marks unchanged, without delay', () => {
    const text = `a${'\u0323\u0301'.repeat(250_000)}@example.test`
    expect(normaliseEmail(text)).toBe(text)
    expect(complaintAboutEmail(text)).toBe('must be one email address of at most 254 characters')
  })

  it.each([
    ['Ada@Example.TEST', 'ada@example.test'],
    ['ａｄａ＠example.test', 'ada@example.test'],
    ['cafe\u0301@example.test', 'caf\u00E9@example.test'],
    ['ﬁona@example.test', 'fiona@example.test'],
    ['\u212Aim@example.test', 'kim@example.test'],
    [' \u00A0ada@example.test\u3000 ', 'ada@example.test'],
    ['ΟΔΥΣΣΕΥΣ@example.test', 'οδυσσευσ@example.test'],
    ['οδυσσευς@example.test', 'οδυσσευσ@example.test'],
    ['STRAẞE@example.test', 'straße@example.test'],
    ['ı@example.test', 'ı@example.test'],
    ['I\u0307@example.test', 'İ@example.test'],
    ['ada@xn--mnchen-3ya.example', 'ada@münchen.example'],
    ['ada@XN--MNCHEN-3YA.Example', 'ada@münchen.example'],
    ['ada@MÜNCHEN.example', 'ada@münchen.example'],
    ['ada@mu\u0308nchen.example', 'ada@münchen.example'],
    ['ada@例え。example', 'ada@例え.example'],
    ['ada@xn--fa-hia.example', 'ada@faß.example'],
    ['ada@FAẞ.example', 'ada@faß.example'],
    ['ada@mail_1.example', 'ada@mail_1.example'],
    ['ada@192.0.2.1', 'ada@192.0.2.1'],
  ])('turns %j into %j', (text, normalised) => {
    expect(normaliseEmail(text)).toBe(normalised)
  })

  it.each([
    'ada@exam\u00ADple.test',
    'ada@example\u200B.test',
    'a\u200Dda@example.test',
    '\u202Eada@example.test',
    'ada\t@example.test',
    'ada@example.test\n',
    'ada@strasse\u0307.example.',
    'ada@xn--www-hc6s.example',
    'ada@xn--a',
    'ada@⒈example.test',
    'ada@℀.test',
    'ada@１.２.３',
    'ada@example.test/münchen',
    '\u00A8ada@example.test',
  ])('removes nothing from %j, which no user can have as email', (text) => {
    const normalised = normaliseEmail(text)
    expect(complaintAboutEmail(normalised)).toBeDefined()
    expect(normalised.normalize('NFKC')).toBe(text.normalize('NFKC'))
  })

  it('drops no character from a host, and accepts a host only in the spelling that it stores', () => {
    const wrong = changing.filter((character) => {
      const spelling = hostSpelling(`a${character}b.test`)
      return spelling !== undefined && (spelling === 'ab.test' || hostSpelling(spelling) !== spelling)
    })
    expect(wrong).toStrictEqual([])
  })

  it('is idempotent for any text', () => {
    assert(
      property(string({ unit: anyCharacter, maxLength: 40 }), (text) => {
        const once = normaliseEmail(text)
        expect(normaliseEmail(once)).toBe(once)
      }),
      { numRuns: 2000 },
    )
    const changed = changing.filter((character) => {
      const once = normaliseEmail(`${character}i${character}@a${character}.test`)
      return normaliseEmail(once) !== once
    })
    expect(changed).toStrictEqual([])
  })
})

describe('checking an email', () => {
  it.each(['ada@example.test.', 'ada@.test', 'ada@example..test', 'ada@-example.test', 'ada@example-.test', 'ada@例え。'])(
    'refuses the host of %j',
    (text) => {
      expect(complaintAboutEmail(normaliseEmail(text))).toBe('must be one email address of at most 254 characters')
    },
  )

  it.each(['İ@example.test', 'i\u0307@example.test', 'i\u0323\u0307@example.test', 'ada@İstanbul.example'])(
    'refuses the dotted i of %j',
    (text) => {
      expect(complaintAboutEmail(normaliseEmail(text))).toBe('must have no capital I with a dot, and no i with a second dot')
    },
  )
})
