/** Node loads these packages unbundled, because they contain native code. */
export default { serverExternalPackages: ['@countersign/server', '@node-rs/argon2', '@node-rs/bcrypt', 'better-sqlite3'] }
