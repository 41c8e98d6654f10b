/** The repository's page on the web; the READMEs of the packages link to its files, absolutely. */
export const WEB_PAGE = 'https://github.com/countersign/countersign'

/** The start of an absolute link to a file or a folder of the repository. */
const FILES = new RegExp(`^${WEB_PAGE}/(?:blob|tree)/main/`)

/** Returns whether a link has a scheme, and so does not depend on the page that holds it. */
export const isElsewhere = (target: string): boolean => /^[a-z][a-z0-9+.-]*:/i.test(target)

/** Returns the path and the anchor of an absolute link to a file of the repository; `undefined` for every other link. */
export const repositoryPath = (target: string): string | undefined => {
  if (target === WEB_PAGE || target === `${WEB_PAGE}#readme`) return 'README.md'
  return FILES.test(target) ? target.replace(FILES, '') : undefined
}
