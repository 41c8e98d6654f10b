export {
  type ApproveWithPasskey,
  approveWithPasskey,
  type SignedByPasskey,
  type SignWithPasskey,
  signWithPasskey,
} from './approve-with-passkey.ts'
