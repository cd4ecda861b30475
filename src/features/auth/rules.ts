export const lifetimes = {
  accessTokenMs: 15 * 60_000,
  /** A session ends after this time, however often its tokens were renewed. */
  sessionMs: 30 * 86_400_000,
  /** How long a used refresh token still returns its successor, for a second tab or a lost reply. */
  refreshGraceMs: 20_000,
  verifyEmailMs: 24 * 3_600_000,
  resetPasswordMs: 30 * 60_000,
  /** How long a user who asked to be erased may change their mind. */
  erasureMs: 7 * 86_400_000,
} as const
