export const utf8 = (text: string): Uint8Array<ArrayBuffer> => new TextEncoder().encode(text)
