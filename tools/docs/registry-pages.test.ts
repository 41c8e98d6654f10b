import { existsSync } from 'node:fs'
import { join, relative } from 'node:path'
import { describe, expect, test } from 'vitest'
import { publicPackages, repository } from '../workspace.ts'
import { readPages } from './page.ts'
import { isElsewhere, WEB_PAGE } from './repository-links.ts'

const pages = new Map(readPages().map((page) => [page.path, page]))

describe.each(publicPackages())('$name', ({ directory, manifest }) => {
  const folder = relative(repository, directory).replaceAll('\\', '/')

  test('its manifest names its folder in the repository, its home page and where bugs are reported', () => {
    expect(manifest).toMatchObject({
      repository: { type: 'git', url: `git+${WEB_PAGE}.git`, directory: folder },
      homepage: `${WEB_PAGE}/tree/main/${folder}#readme`,
      bugs: `${WEB_PAGE}/issues`,
    })
    expect(manifest.keywords?.length).toBeGreaterThan(0)
  })

  test('its README has only absolute links, because a registry shows the README outside the repository', () => {
    const readme = pages.get(`${folder}/README.md`)
    expect(existsSync(join(directory, 'README.md'))).toBe(true)
    expect(readme?.links.filter(({ target }) => !isElsewhere(target))).toEqual([])
  })
})
