import { argon2d, argon2i, argon2id, bcrypt, createSHA1, createSHA256, createSHA512, pbkdf2, scrypt } from 'hash-wasm'
import { describe, expect, it } from 'vitest'
import { readHash } from './read-hash.ts'
import { isRefused, type StoredHash } from './stored-hash.ts'

const password = 'correct horse battery staple'

const read = (text: string): StoredHash => {
  const hash = readHash(text)
  if (isRefused(hash)) throw new Error(hash.refusal)
  return hash
}

const unpadded = (bytes: Uint8Array): string => Buffer.from(bytes).toString('base64').replaceAll('=', '')

describe('a hash made by another program', () => {
  it.each([
    ['libxcrypt, $2a$', '$2a$05$abcdefghijklmnopqrstuuFiPhXf1sVd3pCCRO.uVh34H/qI/ZsuS'],
    ['libxcrypt, $2b$', '$2b$05$abcdefghijklmnopqrstuuFiPhXf1sVd3pCCRO.uVh34H/qI/ZsuS'],
    ['libxcrypt, $2y$', '$2y$05$abcdefghijklmnopqrstuuFiPhXf1sVd3pCCRO.uVh34H/qI/ZsuS'],
    ['Python hashlib, scrypt', '$scrypt$ln=14,r=8,p=1$AAECAwQFBgcICQoLDA0ODw$11kKyiyYAc8G7rp3KmncMc44YlkdllIqxOa7pq0fMaU'],
    [
      'Python hashlib, scrypt with other parameters',
      '$scrypt$ln=10,r=16,p=2$AAECAwQFBgcICQoLDA0ODw$G6806YRYChRwkCkjOo/cklz8gFErfrOea9K/OxVHpg4iaWhqrn5on8ZMij0Zam9oE9pDM8blKp1vVlW8K4/CQQ',
    ],
    ['Python hashlib, PBKDF2 with SHA-1', '$pbkdf2-sha1$i=1000,l=20$AAECAwQFBgcICQoLDA0ODw$AOm/kOb/+YAZ3ZwSogYgNu9fO1g'],
    [
      'Python hashlib, PBKDF2 with SHA-256',
      '$pbkdf2-sha256$i=1000,l=32$AAECAwQFBgcICQoLDA0ODw$ppsXnjrdPB4KryJ6DrOqKqhkWrhv7PbKAMF1Eml8cZ4',
    ],
    [
      'Python hashlib, PBKDF2 of two blocks',
      '$pbkdf2-sha256$i=1000,l=64$AAECAwQFBgcICQoLDA0ODw$ppsXnjrdPB4KryJ6DrOqKqhkWrhv7PbKAMF1Eml8cZ7TX23G+6QgERwdCrtdq7/IU5aB6IVSOpTz6igHBLZ5Gw',
    ],
    [
      'Python hashlib, PBKDF2 with SHA-512',
      '$pbkdf2-sha512$i=1000,l=64$AAECAwQFBgcICQoLDA0ODw$A6AmFIti7CKlYdoPiV9jf1d9llp37o27Wms8Zx8fwMJGCOigJzAthOW3Pg+XF5PnNiYnsQsIz1N5NtynrEm78w',
    ],
    ['passlib, scrypt', '$scrypt$ln=10,r=8,p=1$Sum9d04phVAqJeRcKyXkXA$Ii30dRMDq4X6g2iLCQtwJJjDh+Ru4l8g117gkLjHc3g'],
    ['passlib, PBKDF2 with SHA-1', '$pbkdf2$1000$YSxlTAkBgLA2Rsj5P2fM.Q$KQFXvOWxih15XX3jnBcy5f43BjI'],
    ['passlib, PBKDF2 with SHA-256', '$pbkdf2-sha256$1000$PgdA6B3DGCOEUGqNUUopZQ$MBf4v0pFP.xzNFfuPjtDhppdInPmWLt5YZ4RfQjv5ic'],
    [
      'passlib, PBKDF2 with SHA-512',
      '$pbkdf2-sha512$1000$8X4vZex9b815T8kZw/gfow$QyRA2jOSX6u.8WnFA9lR5agx7g6EPzH/9V3N/Dku8MXNw.Sa6Ge9h8QAEBWscVfc8GO3MFNdNIO0FvkhrLJkzg',
    ],
    [
      'argon2, the program, argon2id',
      '$argon2id$v=19$m=4096,t=3,p=4$c29tZXNhbHQxMjM0NTY3OA$BbD+mSGLaON/MPfNpK5SFcrYm9NbZZd/2lHrQYUXr2I',
    ],
    ['argon2, the program, argon2i', '$argon2i$v=19$m=64,t=3,p=1$c29tZXNhbHQxMjM0NTY3OA$TAAH+O2NOatp0VJuzBMxtit/iQ6REOr3'],
    [
      'argon2, the program, argon2d',
      '$argon2d$v=19$m=64,t=1,p=1$c29tZXNhbHQxMjM0NTY3OA$X/gjdyNuDvcTbHqFJE98iXx5Zz+2A9UttPY9ynfWHiU',
    ],
    [
      'argon2, the program, version 16',
      '$argon2id$v=16$m=64,t=2,p=1$c29tZXNhbHQxMjM0NTY3OA$lpVGGSzzDeUOlJcRH2BRQjvPNE7xw+SU8RQyZx0efgA',
    ],
  ])('matches its password and no other: %s', async (_, text) => {
    const hash = read(text)
    expect(await hash.matches(password)).toBe(true)
    for (const other of ['', `${password} `, password.toUpperCase(), password.slice(1)])
      expect(await hash.matches(other)).toBe(false)
  })

  it('matches the published example of Firebase', async () => {
    const signerKey = 'jxspr8Ki0RYycVU8zykbdLGjFQ3McFUH0uiiTvC8pVMXAn210wjLNmdZJzxUECKbm0QsEmYUSDzZvpjeJ9WmXA=='
    const hash = read(
      `$fbscrypt$v=1,n=14,r=8,p=1,ss=Bw==,sk=${signerKey}$42xEC+ixf3L2lw==$lSrfV15cpx95/sZS2W9c9Kp6i/LVgQNDNC/qzrCnh1SAyZvqmZqAjTdn3aoItz+VHjoZilo78198JAdRuid5lQ==`,
    )
    expect(await hash.matches('user1password')).toBe(true)
    expect(await hash.matches('user2password')).toBe(false)
  })

  it('matches a password with non-ASCII letters, as UTF-8', async () => {
    const hash = read('$2b$05$abcdefghijklmnopqrstuu.60w2Tv12r0WtB50oEEnYnzXXCWLdhO')
    expect(await hash.matches('pässwörd über alles')).toBe(true)
    expect(await hash.matches('password uber alles')).toBe(false)
  })

  it('covers only the first 72 bytes if it is bcrypt', async () => {
    const hash = read('$2b$05$abcdefghijklmnopqrstuujf8SX2ahXLwp9w/B.Y5XdysS6yR576q')
    expect(await hash.matches('x'.repeat(72))).toBe(true)
    expect(await hash.matches('x'.repeat(71))).toBe(false)
    expect(await hash.matches(`${'x'.repeat(72)}y`)).toBe(true)
  })
})

describe('a hash made by WebAssembly', () => {
  const salt = Buffer.from('a salt of any 16')
  const argon2 = { password, salt, iterations: 2, parallelism: 2, memorySize: 64, hashLength: 32, outputType: 'encoded' } as const

  const pbkdf2Hash = async (name: string, hashFunction: ReturnType<typeof createSHA1>) => {
    const digest = await pbkdf2({ password, salt, iterations: 77, hashLength: 48, hashFunction, outputType: 'binary' })
    return `$pbkdf2-${name}$i=77$${unpadded(salt)}$${unpadded(digest)}`
  }

  it.each([
    ['argon2id', () => argon2id(argon2)],
    ['argon2i', () => argon2i(argon2)],
    ['argon2d', () => argon2d(argon2)],
    ['bcrypt', () => bcrypt({ password, salt, costFactor: 6, outputType: 'encoded' })],
    [
      'scrypt',
      async () => {
        const digest = await scrypt({
          password,
          salt,
          costFactor: 512,
          blockSize: 4,
          parallelism: 3,
          hashLength: 40,
          outputType: 'binary',
        })
        return `$scrypt$ln=9,r=4,p=3$${unpadded(salt)}$${unpadded(digest)}`
      },
    ],
    ['pbkdf2-sha1', () => pbkdf2Hash('sha1', createSHA1())],
    ['pbkdf2-sha256', () => pbkdf2Hash('sha256', createSHA256())],
    ['pbkdf2-sha512', () => pbkdf2Hash('sha512', createSHA512())],
  ])('matches its password and no other: %s', async (_, make) => {
    const hash = read(await make())
    expect(await hash.matches(password)).toBe(true)
    expect(await hash.matches(`${password}.`)).toBe(false)
  })
})

const digest32 = 'A'.repeat(43)
const digest64 = 'A'.repeat(86)
const bcryptBody = 'abcdefghijklmnopqrstuuFiPhXf1sVd3pCCRO.uVh34H/qI/ZsuS'
const firebase = (parameters: string) => `$fbscrypt$${parameters}$42xEC+ixf3L2lw==$${digest64}`
const signer = `ss=Bw==,sk=${digest64}`

describe('a hash that would cost too much is refused before anything is computed', () => {
  it.each([
    `$2b$15$${bcryptBody}`,
    `$2b$31$${bcryptBody}`,
    `$2b$99$${bcryptBody}`,
    `$2b$03$${bcryptBody}`,
    `$scrypt$v=1$ln=14,r=8,p=1$AAAA$${digest32}`,
    `$scrypt$ln=30,r=8,p=1$AAAA$${digest32}`,
    `$scrypt$ln=18,r=8,p=1$AAAA$${digest32}`,
    `$scrypt$ln=14,r=8,p=9999$AAAA$${digest32}`,
    `$scrypt$ln=1,r=9999999999,p=1$AAAA$${digest32}`,
    `$scrypt$ln=9999999999,r=1,p=1$AAAA$${digest32}`,
    `$scrypt$ln=0,r=8,p=1$AAAA$${digest32}`,
    `$scrypt$ln=14,r=0,p=1$AAAA$${digest32}`,
    `$scrypt$ln=14,r=8,p=0$AAAA$${digest32}`,
    `$scrypt$ln=21,r=2,p=1$AAAA$${digest32}`,
    `$pbkdf2-sha256$i=1000000000$AAAA$${digest32}`,
    `$pbkdf2-sha256$2000001$AAAA$${digest32}`,
    `$pbkdf2-sha512$i=1000001$AAAA$${digest64}`,
    `$pbkdf2-sha512$i=0$AAAA$${digest64}`,
    `$argon2id$v=19$m=2097152,t=1,p=4$AAAAAAAAAAAAAA$${digest32}`,
    `$argon2id$v=19$m=65536,t=17,p=4$AAAAAAAAAAAAAA$${digest32}`,
    `$argon2id$v=19$m=8,t=4294967295,p=1$AAAAAAAAAAAAAA$${digest32}`,
    `$argon2id$v=19$m=65536,t=1,p=255$AAAAAAAAAAAAAA$${digest32}`,
    `$argon2id$v=19$m=7,t=1,p=1$AAAAAAAAAAAAAA$${digest32}`,
    `$argon2id$v=19$m=64,t=0,p=1$AAAAAAAAAAAAAA$${digest32}`,
    firebase(`v=1,n=30,r=8,p=1,${signer}`),
    firebase(`v=1,n=18,r=8,p=1,${signer}`),
  ])('%s', (text) => {
    expect(readHash(text)).toStrictEqual({ refusal: expect.stringMatching(/^must (?:have|take) .*(?:cost|most|parameter)/) })
  })

  it('unless its costs are at most the greatest recommended ones', () => {
    for (const text of [
      `$2b$14$${bcryptBody}`,
      `$scrypt$ln=17,r=8,p=1$AAAA$${digest32}`,
      `$scrypt$ln=14,r=8,p=5$AAAA$${digest32}`,
      `$pbkdf2-sha1$i=1300000$AAAA$${'A'.repeat(27)}`,
      `$pbkdf2-sha1$i=1300000$AAAA$${digest64}`,
      `$pbkdf2-sha256$i=1200000$AAAA$${digest32}`,
      `$pbkdf2-sha512$i=210000$AAAA$${digest64}`,
      `$argon2id$v=19$m=65536,t=4,p=1$AAAAAAAAAAAAAA$${digest32}`,
      `$argon2id$v=19$m=47104,t=1,p=1$AAAAAAAAAAAAAA$${digest32}`,
      firebase(`v=1,n=14,r=8,p=1,${signer}`),
    ])
      expect(readHash(text)).toHaveProperty('matches')
  })
})

it.each([
  `$2b$04$${bcryptBody}`,
  `$scrypt$ln=1,r=1,p=1$AAAA$${digest32}`,
  `$pbkdf2-sha256$i=1$AAAA$${digest32}`,
  `$argon2id$v=19$m=8,t=1,p=1$AAAAAAAAAAAAAA$${digest32}`,
  firebase(`v=1,n=1,r=1,p=1,${signer}`),
])('a hash of the lowest accepted cost can be checked: %s', async (text) => {
  expect(await read(text).matches(password)).toBe(false)
})

describe('a hash of another form is refused', () => {
  it.each([
    '',
    '$',
    '$$$$',
    'plain text',
    '5f4dcc3b5aa765d61d8327deb882cf99',
    '{SSHA}W6ph5Mm5Pz8GgiULbPgzG37mj9g=',
    '$1$salt$qJH7.N4xYta3aEG/dfqo/0',
    `$6$saltsalt$${'A'.repeat(86)}`,
    `$7$C6..../....$${digest32}`,
    `$md5$i=1$AAAA$${digest32}`,
    `$2x$10$${bcryptBody}`,
    `$2$10$${bcryptBody}`,
    `$2b$+9$${bcryptBody}`,
    `$2b$10$${bcryptBody}A`,
    `$2b$10$${bcryptBody.slice(1)}`,
    `$2b$10$${bcryptBody.slice(0, -1)}T`,
    `$2b$10$${bcryptBody}\n`,
    `$scrypt$ln=14,r=8$AAAA$${digest32}`,
    `$scrypt$ln=14,r=8,p=1,x=1$AAAA$${digest32}`,
    `$scrypt$ln=14,r=8,p=1,p=1$AAAA$${digest32}`,
    `$scrypt$ln=0x0e,r=8,p=1$AAAA$${digest32}`,
    `$scrypt$ln=14.5,r=8,p=1$AAAA$${digest32}`,
    `$scrypt$ln=14,r=8,p=1$$${digest32}`,
    '$scrypt$ln=14,r=8,p=1$AAAA$',
    '$scrypt$ln=14,r=8,p=1$AAAA$AAAA',
    `$scrypt$ln=14,r=8,p=1$AAAA$${'A'.repeat(172)}`,
    `$scrypt$ln=14,r=8,p=1$AAAA$${digest32}$more`,
    `$scrypt$ln=14,r=8,p=1$AA*A$${digest32}`,
    `$pbkdf2-sha256$i=1000,l=64$AAAA$${digest32}`,
    `$pbkdf2-md5$i=1000$AAAA$${digest32}`,
    `$argon2id$m=64,t=1,p=1$AAAAAAAAAAAAAA$${digest32}`,
    `$argon2id$v=18$m=64,t=1,p=1$AAAAAAAAAAAAAA$${digest32}`,
    `$argon2id$v=19$m=64,t=1,p=1$AAAA$${digest32}`,
    `$argon2id$v=19$m=64,t=1,p=1,keyid=AAAA$AAAAAAAAAAAAAA$${digest32}`,
    `$argon2x$v=19$m=64,t=1,p=1$AAAAAAAAAAAAAA$${digest32}`,
    firebase('v=1,n=14,r=8,p=1,ss=Bw==,sk=AAAA'),
    firebase(`v=2,n=14,r=8,p=1,${signer}`),
    firebase(`v=1,n=14,r=8,p=2,${signer}`),
    firebase(`n=14,r=8,p=1,${signer}`),
    `$constructor$i=1$AAAA$${digest32}`,
    `$scrypt$ln=14,r=8,p=1$${'A'.repeat(1024)}$${digest32}`,
  ])('%.60s', (text) => {
    expect(readHash(text)).toStrictEqual({ refusal: expect.stringMatching(/^must (?:be|have|take) /) })
  })

  it('without repeating it in the error', () => {
    for (const text of ['canary', '$2b$canary', '$scrypt$canary=1$AAAA$AAAA', `$canary$i=1$AAAA$${digest32}`])
      expect(JSON.stringify(readHash(text))).not.toContain('canary')
  })
})
