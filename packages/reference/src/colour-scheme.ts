/** Shows the page in the colours that the reader's system asks for. Swagger UI has dark ones below this class. */
export const followColourScheme = (): void => {
  const dark = matchMedia('(prefers-color-scheme: dark)')
  const follow = (): void => void document.documentElement.classList.toggle('dark-mode', dark.matches)
  follow()
  dark.addEventListener('change', follow)
}
