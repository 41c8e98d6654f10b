/** Limits on input. Characters are Unicode code points; bytes are bytes of UTF-8. */
export const limits = {
  deviceNameCharacters: 255,
  deviceFingerprintCharacters: 255,
  publicKeyBytes: 10 * 1024,
  actionPayloadBytes: 4096,
  rejectReasonCharacters: 1000,
  /** The longest time for which a service waits for the decision of a user. */
  waitSeconds: 30,
  pushTokenCharacters: 4096,
  /** WebAuthn Level 3 §4, credential id. */
  credentialIdBytes: 1023,
  credentialTransports: 16,
  emailCharacters: 254,
  passwordCharacters: { min: 12, max: 128 },
  tokenBytes: 8 * 1024,
  /** The largest body of all operations. The table of operations has a limit for each operation. */
  bodyBytes: 1024 * 1024,
  bodyMembers: 50_000,
  bodyDepth: 64,
  projectNameCharacters: 255,
  projectDescriptionCharacters: 20_000,
  projectStatusCharacters: 64,
  projectsPerPage: { default: 10, max: 100 },
  sessionsPerPage: { default: 50, max: 100 },
  approvalsPerPage: { default: 20, max: 100 },
  searchCharacters: 200,
  productsPerProject: 1000,
  participantsPerProject: 1000,
  documentsPerProject: 1000,
} as const
