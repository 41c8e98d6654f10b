declare module 'swagger-ui-dist/swagger-ui-es-bundle.js' {
  /** The shown document, as far as this page uses it. */
  interface SwaggerUi {
    /** Gives calls a credential. For a scheme `bearer`, that is the token alone. */
    preauthorizeApiKey(scheme: string, credential: string): unknown
    readonly authActions: {
      /** Takes credentials away again. */
      logout(schemes: readonly string[]): unknown
    }
  }

  /** Shows a document in an element; the options are those of its documentation. */
  const swaggerUi: (options: Readonly<Record<string, unknown>>) => SwaggerUi

  export { type SwaggerUi, swaggerUi as default }
}
