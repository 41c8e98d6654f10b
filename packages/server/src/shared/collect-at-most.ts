/** Joins chunks of bytes; `undefined` if there are more than `most`. Reads no further then. */
export const collectAtMost = async (chunks: AsyncIterable<Uint8Array>, most: number): Promise<Buffer | undefined> => {
  const collected: Uint8Array[] = []
  let length = 0
  for await (const chunk of chunks) {
    length += chunk.byteLength
    if (length > most) return undefined
    collected.push(chunk)
  }
  return Buffer.concat(collected, length)
}
