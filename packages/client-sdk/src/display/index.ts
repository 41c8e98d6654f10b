export type { Direction, DisplayLine, ShownDisplay } from '@countersign/contract/display'
export { type DisplayedConfirmation, displayOf } from './display-of.ts'
