export { currencyDigits } from './currencies.ts'
export {
  type Display,
  type DisplayDefinition,
  type DisplayLine,
  type Displays,
  type LineDefinition,
  pointerPath,
  type Translations,
  valueAt,
} from './definition.ts'
export { type Direction, directionOf } from './languages.ts'
export { isPayable } from './money.ts'
export { isolated, readableText } from './readable-text.ts'
export { type AskedWords, type DisplayForm, isBuiltInType, renderDisplay, withDelegator } from './render.ts'
export { chooseLanguage, type ShownDisplay, signedDisplay } from './signed-display.ts'
export { builtInWords, shippedLanguages, vouchingWords } from './words.ts'
