export { isContractType, renderAction } from './contract-action.ts'
export {
  type Display,
  type DisplayDefinition,
  type DisplayLine,
  type LineDefinition,
  pointerPath,
  renderDisplay,
  type Translations,
  valueAt,
} from './display.ts'
export { isolated, readableText } from './readable-text.ts'
export { chooseLanguage, signedDisplay } from './signed-display.ts'
