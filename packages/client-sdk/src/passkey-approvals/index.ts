export { type ApproveWithPasskey, approveWithPasskey } from './approve-with-passkey.ts'
