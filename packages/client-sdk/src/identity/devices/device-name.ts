/**
 * Makes a name that a device may have out of any text: "iPhone 15 (2)" becomes "iPhone 15 2", and every dash a hyphen. What
 * no name has becomes a space. "Device" where nothing is left.
 */
export const deviceNameFrom = (text: string): string => {
  const permitted = String(text)
    .replace(/\p{Pd}/gu, '-')
    .replace(/[^\p{L}\p{M}\p{N}'’-]+/gu, ' ')
    .trim()
  const [name = 'Device'] = /^.{1,255}/u.exec(permitted) ?? []
  return name.trim()
}
