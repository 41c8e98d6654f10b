import { describePages } from './describe-pages.ts'
import { readDocuments } from './page.ts'

// Apart from the other pages, so that two can be followed at once.
describePages(readDocuments().filter(({ path }) => !path.startsWith('docs/')))
