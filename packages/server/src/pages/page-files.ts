import { readFile } from 'node:fs/promises'

const contentTypes = {
  html: 'text/html; charset=utf-8',
  js: 'text/javascript; charset=utf-8',
  css: 'text/css; charset=utf-8',
  json: 'application/json',
  svg: 'image/svg+xml',
  png: 'image/png',
} as const

/** The name of a file whose content type is known. */
export type FileName = `${string}.${keyof typeof contentTypes}`

export interface PageFile {
  readonly text: string | Uint8Array<ArrayBuffer>
  readonly contentType: string
}

/** Returns a file of the page by its name; `undefined` for an unknown name. */
export type PageFiles = (name: string) => Promise<PageFile> | undefined

const contentTypeOf = (name: FileName): string => contentTypes[name.slice(name.lastIndexOf('.') + 1) as keyof typeof contentTypes]

const readPageFile = async (directory: URL, name: FileName): Promise<PageFile> => ({
  text: await readFile(new URL(name, directory), name.endsWith('.png') ? null : 'utf8'),
  contentType: contentTypeOf(name),
})

/** Reads each file at its first request, and caches it. A missing page must not stop a server from starting. */
export const createPageFiles = (directory: URL, names: readonly FileName[]): PageFiles => {
  const kept = new Map<string, Promise<PageFile> | undefined>(names.map((name) => [name, undefined]))
  return (name) => {
    if (!kept.has(name)) return undefined
    const known = kept.get(name)
    if (known !== undefined) return known
    const reading = readPageFile(directory, name as FileName)
    kept.set(name, reading)
    reading.catch(() => kept.set(name, undefined))
    return reading
  }
}
