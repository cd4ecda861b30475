import { isCommonPassword } from './common-passwords.ts'

/** Lifetimes, in milliseconds. */
export const lifetimes = {
  accessTokenMs: 15 * 60_000,
  /** A session ends after this time, however often its tokens were renewed. */
  sessionMs: 30 * 86_400_000,
  /** How long a used refresh token still returns its successor, for a second tab or a lost reply. */
  refreshGraceMs: 20_000,
  verifyEmailMs: 24 * 3_600_000,
  resetPasswordMs: 30 * 60_000,
} as const

/** True if the password has a digit, a lowercase letter, an uppercase letter and one of !@#$%^&+=. Others are allowed too. */
export const isMixedPassword = (password: string): boolean =>
  [/\d/, /[a-z]/, /[A-Z]/, /[!@#$%^&+=]/].every(kind => kind.test(password))

// The README publishes its password on purpose. The address's domain receives no mail, so it can only be verified with an
// emulated mail server.
const demonstrationEmail = 'demo@tideline.test'

/** True unless the password is a common one; the demonstration's account may have one. */
export const isPasswordAllowed = ({ email, password }: { email: string; password: string }): boolean =>
  email === demonstrationEmail || !isCommonPassword(password)

function doesNotThrow(run: () => unknown): boolean {
  try {
    run()
    return true
  } catch {
    return false
  }
}

/** True for an IANA time zone that this runtime knows. */
export function isTimezone(name: string): boolean {
  return doesNotThrow(() => new Intl.DateTimeFormat('en', { timeZone: name }))
}

/** True for a well-formed language tag. */
export function isLocale(tag: string): boolean {
  return doesNotThrow(() => Intl.getCanonicalLocales(tag))
}
