import { keepAccessible } from './accessible.ts'
import { showReference } from './reference.ts'
import { offerSignIn } from './sign-in.ts'

/** Shows the page in the colour scheme of the reader's system. Swagger UI has dark colours under this class. */
const followColourScheme = (): void => {
  const dark = matchMedia('(prefers-color-scheme: dark)')
  const follow = (): void => void document.documentElement.classList.toggle('dark-mode', dark.matches)
  follow()
  dark.addEventListener('change', follow)
}

followColourScheme()
keepAccessible()
offerSignIn(showReference())
