import type { Route } from '../http/router.ts'
import type { PageFile } from './page-files.ts'
import { pageRoute } from './page-routes.ts'

interface DescribedApp {
  readonly version: string
  readonly basePath: string
  /** The path templates of the mounted operations. The document names no others. */
  readonly paths: ReadonlySet<string>
}

const describe = async ({ version, basePath, paths }: DescribedApp): Promise<PageFile> => {
  // Loaded at the first request, because a start of the server does not need it.
  const { openApiDocument } = await import('@countersign/contract/openapi')
  const document = openApiDocument({ version, basePath })
  const mounted = Object.entries(document.paths).filter(([path]) => paths.has(path))
  const text = JSON.stringify({ ...document, paths: Object.fromEntries(mounted) })
  return { text, contentType: 'application/json' }
}

/** Makes the route of the OpenAPI document. The document is public, like the contract. */
export const openApiRoute = (app: DescribedApp): Route => {
  let content: Promise<PageFile> | undefined
  return pageRoute('/openapi.json', () => {
    content ??= describe(app)
    return content
  })
}
