export { fileSigner } from './file-signer.ts'
