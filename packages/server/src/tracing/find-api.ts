/** The key under which version 1 of the OpenTelemetry API keeps what an SDK has installed. All copies of the package share it. */
const API = Symbol.for('opentelemetry.js.api.1')

/** Returns whether a program has used the OpenTelemetry API. Without that, the API need not be loaded. */
export const isApiLoaded = (): boolean => API in globalThis
