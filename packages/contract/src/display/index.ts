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
export { currencyDigits, isPayable } from './money.ts'
export { isolated, isVisible, readableText } from './readable.ts'
export { type AskedWords, type DisplayForm, isBuiltInType, renderDisplay, withDelegator } from './render.ts'
export { chooseLanguage, type ShownDisplay, signedDisplay } from './signed-display.ts'
export { builtInWords, shippedLanguages, vouchingWords } from './words.ts'
