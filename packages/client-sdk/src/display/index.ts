export type { Display, DisplayLine } from '@countersign/contract/display'
export { type DisplayedConfirmation, displayOf } from './display-of.ts'
