import { readDocuments } from './page.ts'
import { describePages } from './testing/follow-page.ts'

// In a file apart from the pages of `docs`, so that two files run in parallel.
describePages(readDocuments().filter(({ path }) => !/^docs\/[^/]+$/.test(path)))
