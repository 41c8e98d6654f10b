declare module 'swagger-ui-dist/swagger-ui-es-bundle.js' {
  /** The displayed document: the functions that this page uses. */
  interface SwaggerUi {
    /** Sets a credential for calls. For a `bearer` scheme, the credential is the token. */
    preauthorizeApiKey(scheme: string, credential: string): unknown
    readonly authActions: {
      logout(schemes: readonly string[]): unknown
    }
  }

  /** Shows a document in an element. Swagger UI's documentation describes the options. */
  const swaggerUi: (options: Readonly<Record<string, unknown>>) => SwaggerUi

  export { type SwaggerUi, swaggerUi as default }
}
