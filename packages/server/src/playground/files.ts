import { createHash } from 'node:crypto'
import { readFile } from 'node:fs/promises'

const HTML = 'text/html; charset=utf-8'

/** The files of the page: everything that is served, by name. The build makes them under the same names. */
const contentTypes = {
  'index.html': HTML,
  'playground.js': 'text/javascript; charset=utf-8',
  'style.css': 'text/css; charset=utf-8',
} as const

export type FileName = keyof typeof contentTypes

export interface PageFile {
  readonly text: string
  readonly contentType: string
  /** A strong entity tag (RFC 9110 §8.8.3) of the content. */
  readonly etag: string
}

export const isFileName = (name: string): name is FileName => Object.hasOwn(contentTypes, name)

/** Reads each file when it is first asked for, and keeps it: a page that cannot be read must not keep a service from starting. */
export const createFiles = (directory: URL): ((name: FileName) => Promise<PageFile>) => {
  const kept = new Map<FileName, PageFile>()
  return async (name) => {
    const known = kept.get(name)
    if (known !== undefined) return known
    const text = await readFile(new URL(name, directory), 'utf8')
    const etag = `"${createHash('sha256').update(text).digest('base64url')}"`
    const file = { text, contentType: contentTypes[name], etag }
    kept.set(name, file)
    return file
  }
}
