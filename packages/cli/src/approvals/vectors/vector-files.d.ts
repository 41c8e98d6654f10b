// The files are large, so the compiler need not read them.
declare module '@countersign/contract/vectors/receipts.json' {
  const file: import('./check-vectors.ts').VectorFile
  export default file
}
declare module '@countersign/contract/vectors/signing.json' {
  const file: import('./check-vectors.ts').VectorFile
  export default file
}
