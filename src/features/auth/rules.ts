import { isCommonPassword } from './common-passwords.ts'

/** Lifetimes, in milliseconds. */
export const lifetimes = {
  accessTokenMs: 15 * 60_000,
  /** A session ends then, however often its tokens were renewed. */
  sessionMs: 30 * 86_400_000,
  /** How long a used refresh token still answers its successor: a second tab, or a reply that was lost. */
  refreshGraceMs: 20_000,
  verifyEmailMs: 24 * 3_600_000,
  resetPasswordMs: 30 * 60_000,
} as const

/** True when the password holds a digit, a lowercase and an uppercase letter and one of !@#$%^&+=; others may stand beside. */
export const isMixedPassword = (password: string): boolean =>
  /\d/.test(password) && /[a-z]/.test(password) && /[A-Z]/.test(password) && /[!@#$%^&+=]/.test(password)

/** True unless the password is among those that are tried first. */
export const isUncommonPassword = (password: string): boolean => !isCommonPassword(password)

// Its password is printed in the README on purpose. The address is of a domain that receives no mail, so that it can be
// verified at an emulated mail server only.
const demonstrationEmail = 'demo@tideline.test'

/** True unless the password is among those that are tried first; the demonstration's account may have one that is. */
export const isPasswordAllowed = ({ email, password }: { email: string; password: string }): boolean =>
  email === demonstrationEmail || isUncommonPassword(password)

/** True when the text holds letters (of any script) and spaces only. */
export const isPersonName = (text: string): boolean => /^[\p{L}\p{M} ]*$/u.test(text)

/** True for an IANA time zone that this runtime knows. */
export function isTimezone(name: string): boolean {
  try {
    return new Intl.DateTimeFormat('en', { timeZone: name }).resolvedOptions().timeZone !== ''
  } catch {
    return false
  }
}

/** True for a well-formed language tag. */
export function isLocale(tag: string): boolean {
  try {
    return Intl.getCanonicalLocales(tag).length === 1
  } catch {
    return false
  }
}
