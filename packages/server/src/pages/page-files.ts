import { readFile } from 'node:fs/promises'

/** Types of what pages are made of, by the ending of the file's name. */
const contentTypes = {
  html: 'text/html; charset=utf-8',
  js: 'text/javascript; charset=utf-8',
  css: 'text/css; charset=utf-8',
} as const

export type FileName = `${string}.${keyof typeof contentTypes}`

export interface PageFile {
  readonly text: string
  readonly contentType: string
}

/** A file of the page, by its name; `undefined` for any other name. */
export type PageFiles = (name: string) => Promise<PageFile> | undefined

const contentTypeOf = (name: FileName): string => contentTypes[name.slice(name.lastIndexOf('.') + 1) as keyof typeof contentTypes]

const readPageFile = async (directory: URL, name: FileName): Promise<PageFile> => ({
  text: await readFile(new URL(name, directory), 'utf8'),
  contentType: contentTypeOf(name),
})

/** Reads each file when it is first asked for, and keeps it: a page that cannot be read must not keep a service from starting. */
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
