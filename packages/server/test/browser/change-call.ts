import type { Page } from 'playwright-core'

export interface Change<T> {
  /** What is sent in place of what the page sends. */
  readonly body?: unknown
  /** Changes what the server answers within `data`. */
  readonly answer?: (data: T) => void
}

/** Changes a call of the page and its answer on the way, as a bad network or a bad script in the page would. */
export const changeCall = <T>(page: Page, path: string, { body, answer = () => {} }: Change<T>): Promise<unknown> =>
  page.route(`**/api/v1/auth/${path}`, async (route) => {
    const response = await route.fetch(body === undefined ? {} : { postData: JSON.stringify(body) })
    const json = (await response.json()) as { readonly data: T }
    answer(json.data)
    await route.fulfill({ response, json })
  })
