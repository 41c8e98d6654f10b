export {
  type Direction,
  type Display,
  type DisplayDefinition,
  type DisplayLine,
  type Displays,
  directionOf,
  type LineDefinition,
  pointerPath,
  type Translations,
  valueAt,
} from './definition.ts'
export { shippedLanguages } from './labels.ts'
export { currencyDigits, isPayable } from './money.ts'
export { isolated, isVisible, readableText } from './readable.ts'
export { type AskedWords, isBuiltInType, renderDisplay, withDelegator } from './render.ts'
export { chooseLanguage, type ShownDisplay, signedDisplay } from './signed-display.ts'
export type { DisplayForm } from './values.ts'
export { builtInWords, type ProductDefinition, vouchingWords } from './words.ts'
