import { signal } from '@preact/signals'

const read = (): readonly [screen: string, id: string] => {
  const [, screen = '', id = ''] = location.hash.split('/')
  try {
    return [screen, decodeURIComponent(id)]
  } catch {
    // A link that lost a character of an escape leads to the inbox.
    return ['', '']
  }
}

/** The screen that the address names, and the id of what it shows. */
export const route = signal(read())
addEventListener('hashchange', () => {
  route.value = read()
})

export const go = (path: string): void => {
  location.hash = `/${path}`
}
