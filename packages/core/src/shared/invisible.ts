/**
 * Invisible characters: two texts that differ in one of them look the same. Covers the default-ignorable characters of Unicode,
 * with the controls of direction among them, and further blank letters and symbols.
 */
const INVISIBLE = /[\p{Default_Ignorable_Code_Point}\u2800\u{13441}\u{13442}\u{16FE4}\u{1D159}]/gu

export const hasInvisible = (text: string): boolean => text.search(INVISIBLE) !== -1

export const withoutInvisible = (text: string): string => text.replace(INVISIBLE, '')
