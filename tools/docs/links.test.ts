import { existsSync, statSync } from 'node:fs'
import { join, posix } from 'node:path'
import { expect, test } from 'vitest'
import { repository } from '../workspace.ts'
import { type Page, readPages } from './page.ts'
import { isElsewhere, repositoryPath } from './repository-links.ts'

const pages = new Map(readPages().map((page) => [page.path, page]))

/** Returns the file or folder that a link of a page leads to, and the anchor there. */
const resolve = (page: Page, target: string): { readonly path: string; readonly anchor: string } => {
  const absolute = repositoryPath(target)
  const [file = '', anchor = ''] = (absolute ?? target).split('#')
  if (absolute !== undefined) return { path: file.replace(/\/$/, ''), anchor }
  const path = file === '' ? page.path : posix.join(posix.dirname(page.path), decodeURIComponent(file))
  return { path: path.replace(/\/$/, ''), anchor: decodeURIComponent(anchor) }
}

/** The links of a page into the repository: the relative links, and the absolute links to its page on the web. */
const linksOf = (page: Page) =>
  page.links
    .filter(({ target }) => !isElsewhere(target) || repositoryPath(target) !== undefined)
    .map((link) => ({ ...link, ...resolve(page, link.target) }))

test('every link into the repository leads to a file or a folder, and every anchor to a heading', () => {
  const broken = [...pages.values()].flatMap((page) =>
    linksOf(page)
      .filter(({ path, anchor }) => {
        const isThere = !path.startsWith('..') && existsSync(join(repository, path))
        return !isThere || (anchor !== '' && pages.get(path)?.anchors.has(anchor) !== true)
      })
      .map(({ line, target }) => `${page.path}:${line} ${target}`),
  )
  expect(broken).toEqual([])
})

/** Returns the page that a path shows: a folder shows its README. */
const pageAt = (path: string): string =>
  existsSync(join(repository, path)) && statSync(join(repository, path)).isDirectory() ? posix.join(path, 'README.md') : path

test('every page can be reached from the README', () => {
  const reached = new Set(['README.md'])
  // The loop also visits elements that are added during the loop.
  for (const path of reached) {
    const page = pages.get(path)
    if (page !== undefined) for (const link of linksOf(page)) reached.add(pageAt(link.path))
  }
  expect([...pages.keys()].filter((path) => !reached.has(path))).toEqual([])
})
