import { readHash } from './read-hash.ts'
import { type HashFormat, hashFormats, isRefused } from './stored-hash.ts'

const password = 'countersign'

/** A hash of the password in each format, at the least cost. */
const samples: Readonly<Record<HashFormat, string>> = {
  argon2id: '$argon2id$v=19$m=8,t=1,p=1$YSBzYWx0IG9mIGFueSAxNg$E0SxJEE4LZPpsOgqr1l2rQ',
  argon2i: '$argon2i$v=19$m=8,t=1,p=1$YSBzYWx0IG9mIGFueSAxNg$FMxzwSf3M/bMOE0XiLaGTA',
  argon2d: '$argon2d$v=19$m=8,t=1,p=1$YSBzYWx0IG9mIGFueSAxNg$W9BGOScIobSs3dbJ2Pthaw',
  bcrypt: '$2b$04$WQ/xWUvyGE7kGEDscQ.vLeyvHSdnGXMCat8rUaX6ATbKsKUYIMobq',
  scrypt: '$scrypt$ln=1,r=1,p=1$YSBzYWx0IG9mIGFueSAxNg$hific15+DYdWcDDcB1JzdQ',
  fbscrypt: '$fbscrypt$v=1,n=1,r=1,p=1,ss=Bw==,sk=YSBzaWduZXIga2V5IG9mIDE=$YSBzYWx0IG9mIGFueSAxNg==$hQU01OMH8D7d/xkCaEDJHgc=',
  'pbkdf2-sha1': '$pbkdf2-sha1$i=1$YSBzYWx0IG9mIGFueSAxNg$TaA0er3jHduyDmn89tnT9Q',
  'pbkdf2-sha256': '$pbkdf2-sha256$i=1$YSBzYWx0IG9mIGFueSAxNg$j9/dHOnNk7Jr5N0oSDDg0w',
  'pbkdf2-sha512': '$pbkdf2-sha512$i=1$YSBzYWx0IG9mIGFueSAxNg$R1BfID05v/f6RgyszCdF6A',
}

const isComputable = async (format: HashFormat): Promise<boolean> => {
  const hash = readHash(samples[format])
  try {
    return !isRefused(hash) && (await hash.matches(password))
  } catch {
    return false
  }
}

/** Returns a function that says whether this machine can compute a format. It computes one hash of a format, at its first call. */
export const formatTrial = (): ((format: HashFormat) => Promise<boolean>) => {
  const known = new Map<HashFormat, Promise<boolean>>()
  return (format) => {
    const found = known.get(format) ?? isComputable(format)
    known.set(format, found)
    return found
  }
}

/** Returns the formats that this machine cannot compute, for example without the binary of bcrypt. Computes one hash of each. */
export const unusableHashFormats = async (): Promise<readonly HashFormat[]> => {
  const usable = await Promise.all(hashFormats.map(isComputable))
  return hashFormats.filter((_, index) => usable[index] === false)
}
