import { createDecipheriv, createECDH, hkdfSync } from 'node:crypto'

/** The keys of a browser. */
export interface BrowserKeys {
  readonly privateKey: string
  readonly auth: string
}

/** The keys of the browser in the example of RFC 8291, section 5. */
export const exampleKeys: BrowserKeys = {
  privateKey: 'q1dXpw3UpT5VOmu_cf_v6ih07Aems3njxI-JWgLcM94',
  auth: 'BTBZMqHH6r4Tts7J_aSIgg',
}

const ecdhOf = ({ privateKey }: BrowserKeys) => {
  const ecdh = createECDH('prime256v1')
  ecdh.setPrivateKey(privateKey, 'base64url')
  return ecdh
}

/** Returns the push token of a browser: its subscription as JSON. */
export const subscriptionToken = (endpoint: string, keys = exampleKeys): string =>
  JSON.stringify({
    endpoint,
    expirationTime: null,
    keys: { p256dh: ecdhOf(keys).getPublicKey('base64url'), auth: keys.auth },
  })

/** Decrypts the body of a push message as the browser does (RFC 8291, section 3.4, and RFC 8188, section 2). */
export const decryptPush = (body: Uint8Array, keys = exampleKeys): string => {
  const bytes = Buffer.from(body)
  const [salt, keyLength] = [bytes.subarray(0, 16), bytes[20] ?? 0]
  const sender = bytes.subarray(21, 21 + keyLength)
  const sealed = bytes.subarray(21 + keyLength)
  const ecdh = ecdhOf(keys)
  const derive = (secret: Uint8Array, seasoning: Uint8Array, info: Uint8Array | string, length: number) =>
    Buffer.from(hkdfSync('sha256', secret, seasoning, info, length))
  const info = Buffer.concat([Buffer.from('WebPush: info\0'), ecdh.getPublicKey(), sender])
  const material = derive(ecdh.computeSecret(sender), Buffer.from(keys.auth, 'base64url'), info, 32)
  const key = derive(material, salt, 'Content-Encoding: aes128gcm\0', 16)
  const decipher = createDecipheriv('aes-128-gcm', key, derive(material, salt, 'Content-Encoding: nonce\0', 12))
  decipher.setAuthTag(sealed.subarray(-16))
  const padded = Buffer.concat([decipher.update(sealed.subarray(0, -16)), decipher.final()])
  // The text ends with 2, and zeroes follow.
  return padded.subarray(0, padded.lastIndexOf(2)).toString()
}
