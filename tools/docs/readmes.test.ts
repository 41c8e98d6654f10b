import { describePages } from './describe-pages.ts'
import { readDocuments } from './page.ts'

// In a file apart from the other pages, so that two files run in parallel.
describePages(readDocuments().filter(({ path }) => !path.startsWith('docs/')))
