/** Loaded by Node as they are, not bundled: they have parts in native code. */
export default { serverExternalPackages: ['@countersign/server', '@node-rs/argon2', 'better-sqlite3'] }
