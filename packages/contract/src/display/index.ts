export {
  type Display,
  type DisplayDefinition,
  type DisplayLine,
  type LineDefinition,
  pointerPath,
  renderDisplay,
  type Translations,
} from './display.ts'
export { isolated, readableText } from './readable-text.ts'
