import { existsSync, readFileSync, statSync } from 'node:fs'
import { join, posix, relative } from 'node:path'
import { expect, test } from 'vitest'
import { publicPackages, repository } from '../workspace.ts'
import { type Page, readPages } from './page.ts'

/** The repository's page on the web. A registry shows the READMEs of the packages, so their links begin with it. */
const WEB_PAGE = 'https://github.com/countersign/countersign'
const pages = new Map(readPages().map((page) => [page.path, page]))

/** Returns the file or folder, and the anchor, of each link of a page into the repository. */
const linksOf = ({ path: from, links }: Pick<Page, 'path' | 'links'>) =>
  links.flatMap(({ line, target }) => {
    const ours = target.startsWith(WEB_PAGE) ? target.replace(/^.*?\/(?:blob|tree)\/main\//, '') : undefined
    if (ours === undefined && /^[a-z][a-z0-9+.-]*:/i.test(target)) return []
    const [file = '', anchor = ''] = decodeURIComponent(ours?.replace(/^https:.*#readme$/, 'README.md') ?? target).split('#')
    const path = ours === undefined ? posix.join(posix.dirname(from), file || posix.basename(from)) : file
    return [{ at: `${from}:${line} ${target}`, path: path.replace(/\/$/, ''), anchor }]
  })

test('every link into the repository leads to a file or a folder, and every anchor to a heading', () => {
  const broken = [...pages.values()].flatMap(linksOf).filter(({ path, anchor }) => {
    const isThere = !path.startsWith('..') && existsSync(join(repository, path))
    return !isThere || (anchor !== '' && pages.get(path)?.anchors.has(anchor) !== true)
  })
  expect(broken.map(({ at }) => at)).toEqual([])
})

test('every page can be reached from the README', () => {
  const reached = new Set(['README.md'])
  // The loop also visits elements that are added during the loop. A folder shows its README.
  for (const path of reached) {
    for (const link of linksOf(pages.get(path) ?? { path, links: [] })) {
      const isFolder = statSync(join(repository, link.path), { throwIfNoEntry: false })?.isDirectory()
      reached.add(isFolder ? posix.join(link.path, 'README.md') : link.path)
    }
  }
  expect([...pages.keys()].filter((path) => !reached.has(path))).toEqual([])
})

test.each(publicPackages())('$name says where its repository is, and its README has only absolute links', (one) => {
  const folder = relative(repository, one.directory).replaceAll('\\', '/')
  expect(one.manifest).toMatchObject({
    repository: { type: 'git', url: `git+${WEB_PAGE}.git`, directory: folder },
    homepage: `${WEB_PAGE}/tree/main/${folder}#readme`,
    bugs: `${WEB_PAGE}/issues`,
  })
  expect(one.manifest.keywords?.length).toBeGreaterThan(0)
  const { links } = pages.get(`${folder}/README.md`) ?? { links: [{ target: 'no README' }] }
  expect(links.filter(({ target }) => !/^[a-z]+:/.test(target))).toEqual([])
})

test('each claim about a chapter of ASVS 5.0 names existing tests, and every chapter that applies has a claim', () => {
  const claims = readFileSync(join(repository, 'docs', 'security.md'), 'utf8').match(/^\| V\d+ .*$/gm) ?? []
  for (const claim of claims) {
    const files = [...claim.matchAll(/\]\(([^)]+)\)/g)].map(([, path = '']) => path)
    expect(files).not.toEqual([])
    for (const file of files) {
      expect(file).toMatch(/\.test\.ts$/)
      expect(readFileSync(join(repository, 'docs', file), 'utf8')).toMatch(/\b(?:test|it|describeStorage)\b/)
    }
  }
  const chapters = claims.map((claim) => Number(/V(\d+)/.exec(claim)?.[1]))
  expect(chapters).toEqual([1, 2, 3, 4, 5, 6, 7, 8, 9, 11, 12, 13, 14, 15, 16])
})

test('the page on AISVS has every line of C9.2 and C9.6.2, and names an existing test for each line that it calls met', () => {
  const page = readFileSync(join(repository, 'docs', 'aisvs.md'), 'utf8')
  const lines = [...page.matchAll(/^\| (9\.\d+\.\d+) \|/gm)].map(([, line]) => line)
  expect(lines).toEqual([...Array.from({ length: 10 }, (_, index) => `9.2.${index + 1}`), '9.6.2'])
  for (const [line = ''] of page.matchAll(/^\| 9\..*\*\*Met\b.*$/gm)) expect(line).toMatch(/\.test\.ts\): “/)
  // A link to a test file, and the names of its tests that follow until the next link.
  const proofs = [...page.matchAll(/\]\(\.\.\/([^)]+\.test\.ts)\):((?:[^[\n]*?“[^”]+”)+)/g)]
  const named = proofs.flatMap(([, file = '', names = '']) => [...names.matchAll(/“([^”]+)”/g)].map(([, name]) => [file, name]))
  expect(named.length).toBeGreaterThanOrEqual(15)
  const isThere = (file: string, name: string) => readFileSync(join(repository, file), 'utf8').includes(`'${name}'`)
  expect(named.filter(([file = '', name = '']) => !isThere(file, name))).toEqual([])
})
