/** Builds attestation objects byte by byte, including ones that no encoder produces. Each part is CBOR (RFC 8949). */

export interface Parts {
  readonly fmt: Uint8Array
  readonly attStmt: Uint8Array
  readonly authData: Uint8Array
}

const heads = { bytes: 0x40, text: 0x60 } as const

/** Encodes the head of bytes or text: the type, and a length in its shortest form. */
const headOf = (kind: keyof typeof heads, length: number): Buffer => {
  const head = heads[kind]
  if (length < 24) return Buffer.of(head + length)
  if (length < 256) return Buffer.of(head + 24, length)
  return Buffer.of(head + 25, length >> 8, length & 0xff)
}

export const cborText = (value: string): Buffer => Buffer.concat([headOf('text', value.length), Buffer.from(value)])

/** Encodes bytes with their length, or with a wrong one. */
export const cborBytes = (bytes: Uint8Array, length = bytes.length): Buffer => Buffer.concat([headOf('bytes', length), bytes])

const names = ['fmt', 'attStmt', 'authData'] as const

/** Splits an attestation object whose members have the usual order. */
export const takeApart = (object: Uint8Array): Parts => {
  const bytes = Buffer.from(object)
  const at = names.map((name) => bytes.indexOf(cborText(name)))
  const [fmt, attStmt, authData] = names.map((name, index) => {
    const begins = (at[index] ?? 0) + cborText(name).length
    return bytes.subarray(begins, at[index + 1] ?? bytes.length)
  })
  if (at.includes(-1) || !fmt || !attStmt || !authData) throw new TypeError('an attestation object is asked for')
  return { fmt, attStmt, authData }
}

/** Builds an attestation object of these parts in their order. `undefined` omits a part. */
export const putTogether = (parts: { readonly [name in keyof Parts]?: Uint8Array | undefined }): Buffer => {
  const members = Object.entries(parts).flatMap(([name, part]) => (part === undefined ? [] : [cborText(name), part]))
  return Buffer.concat([Buffer.of(0xa0 + members.length / 2), ...members])
}
