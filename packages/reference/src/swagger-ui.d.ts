declare module 'swagger-ui-dist/swagger-ui-es-bundle.js' {
  /** Shows a document in an element; the options are those of its documentation. */
  const swaggerUi: (options: Readonly<Record<string, unknown>>) => unknown

  export { swaggerUi as default }
}
