/**
 * Makes a valid device name from any text: "iPhone 15 (2)" becomes "iPhone 15 2". Dashes become hyphens and other forbidden
 * characters become spaces. The result is "Device" if nothing is left.
 */
export const deviceNameFrom = (text: string): string => {
  const permitted = String(text)
    .replace(/\p{Pd}/gu, '-')
    .replace(/[^\p{L}\p{M}\p{N}'’-]+/gu, ' ')
    .trim()
  const [name = 'Device'] = /^.{1,255}/u.exec(permitted) ?? []
  return name.trim()
}
