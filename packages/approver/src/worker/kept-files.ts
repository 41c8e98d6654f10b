/** The files of the page that the worker caches, so that the page opens without a connection. */
const worker = self as unknown as ServiceWorkerGlobalScope

export const CACHE = 'countersign-approver'
const PAGE = './'
const OTHERS = ['icon.svg', 'settings.json', 'manifest.webmanifest']
/** The files that belong to one version of the page. The build adds the digest of the file to each address in the page. */
const VERSIONED = ['approver.js', 'style.css', 'de.json', 'fr.json', 'es.json', 'ar.json']
const NAMED_IN_PAGE = /"([\w-]+\.(?:js|css|json)\?([\da-f]{16}))"/g
/** Milliseconds after which a slow connection counts as none. */
const PATIENCE = 4000

export const addressOf = (path: string): string => new URL(path, worker.registration.scope).href

const digestOf = async (file: ArrayBuffer): Promise<string> =>
  [...new Uint8Array(await crypto.subtle.digest('SHA-256', file)).subarray(0, 8)]
    .map((byte) => byte.toString(16).padStart(2, '0'))
    .join('')

/** Returns the first of the two: the answer of the network, or after some seconds or a failure the kept one. */
const inTime = (answer: Promise<Response>, kept: Response): Promise<Response> =>
  Promise.race([answer.catch(() => kept), new Promise<Response>((resolve) => setTimeout(() => resolve(kept), PATIENCE))])

/**
 * Keeps a page with its files, in place of the page before. Keeps nothing if a file is missing or of another version, as during an
 * update, or if another page answers, such as the sign-in of a network.
 */
const keepPage = async (cache: Cache, page: Response): Promise<void> => {
  const named = [...(await page.clone().text()).matchAll(NAMED_IN_PAGE)]
  if (named.length < VERSIONED.length) throw new Error('This is not the page')
  const files = await Promise.all(
    named.map(async ([, path = '', digest]) => {
      const address = addressOf(path)
      if ((await cache.match(address)) === undefined) {
        const file = await fetch(address)
        if ((await digestOf(await file.clone().arrayBuffer())) !== digest) throw new Error(`${path} has another version`)
        await cache.put(address, file)
      }
      return address
    }),
  )
  await cache.put(addressOf(PAGE), page)
  for (const { url } of await cache.keys()) {
    if (VERSIONED.some((file) => url.startsWith(addressOf(file))) && !files.includes(url)) await cache.delete(url)
  }
}

/** Returns the page from the network with all of its files, or else the kept page, whose files are kept too. */
const fetchPage = async (request: Request | string): Promise<Response> => {
  const cache = await caches.open(CACHE)
  const kept = await cache.match(addressOf(PAGE))
  const fetched = fetch(request)
  const complete = fetched.then(async (page) => {
    if (page.ok) await keepPage(cache, page.clone())
    return page
  })
  if (kept !== undefined) return inTime(complete, kept)
  await complete.catch(() => {})
  return fetched
}

/** Returns a file from the network, and caches it. A host may answer with its own page instead of a missing file. */
const fetchOther = async (request: Request | string, path: string): Promise<Response> => {
  const cache = await caches.open(CACHE)
  const kept = await cache.match(addressOf(path))
  const fetched = fetch(request).then(async (file) => {
    if (!file.ok || file.headers.get('content-type')?.startsWith('text/html')) return kept ?? file
    await cache.put(addressOf(path), file.clone())
    return file
  })
  return kept === undefined ? fetched : inTime(fetched, kept)
}

/** Returns the answer to a request for a file of the page; `undefined` for any other request. */
export const answerFor = (request: Request): Promise<Response> | undefined => {
  const address = request.url.split(/[?#]/)[0] ?? ''
  const has = (path: string) => addressOf(path) === address
  if (request.method !== 'GET') return undefined
  if (has(PAGE)) return fetchPage(request)
  if (VERSIONED.some(has)) return caches.match(request.url).then((kept) => kept ?? fetch(request))
  const other = OTHERS.find(has)
  return other === undefined ? undefined : fetchOther(request, other)
}

/** Keeps all files, for the first time. A static host may lack one. The others still open the page without a connection. */
export const keepAll = () =>
  Promise.allSettled([fetchPage(addressOf(PAGE)), ...OTHERS.map((path) => fetchOther(addressOf(path), path))])

/** Returns what the page or the worker has kept under a name, as JSON; `undefined` without it. */
export const readKept = async <T>(name: string): Promise<Partial<T> | undefined> => {
  const kept = await caches.match(addressOf(name))
  return (await kept?.json().catch(() => undefined)) as Partial<T> | undefined
}
