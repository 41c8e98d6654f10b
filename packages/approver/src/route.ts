import { signal } from '@preact/signals'

const read = (): readonly [screen: string, id: string] => {
  const [, screen = '', id = ''] = location.hash.split('/')
  return [screen, decodeURIComponent(id)]
}

/** The screen that the address names, and the id of what it shows. */
export const route = signal(read())
addEventListener('hashchange', () => {
  route.value = read()
})

export const go = (path: string): void => {
  location.hash = `/${path}`
}
