import * as v from 'valibot'
import { isLocale, isTimeZone } from '#shared/region-format.ts'
import { isCommonPassword } from './common-passwords.ts'

export const accountType = v.picklist(['VENDOR', 'SELLER', 'AGENCY'], 'Choose an account type')
export type AccountType = v.InferOutput<typeof accountType>

/** A strict object; a missing field gets the same message as an empty one. */
export function fields<const E extends v.ObjectEntries>(entries: E) {
  return v.strictObject(entries, issue => {
    const key = issue.path?.at(-1)?.key
    if (typeof key !== 'string') return 'A JSON object is expected'
    const entry = Object.hasOwn(entries, key) ? entries[key] : undefined
    return entry ? (v.safeParse(entry, '').issues?.[0].message ?? `${key} is missing`) : `Unknown field ${key}`
  })
}

function emailOf(message: string) {
  return v.pipe(
    v.string(message),
    v.trim(),
    v.toLowerCase(),
    v.email(message),
    v.maxLength(100, 'Email must be at most 100 characters long'),
  )
}
export const email = emailOf('Email must be a valid email address')
/** An email address in a form, as it is stored: trimmed and in lower case. */
export const emailField = emailOf('Please enter a valid email address')

const passwordLength = 'Password must be between 8 and 100 characters long'
/** What a new password must be, before anything is wrong with it. */
export const passwordHelp =
  '8 to 100 characters with a digit, a lowercase and an uppercase letter, and one of !@#$%^&+='
// Not trimmed: every character of a password counts.
export const mixedPassword = v.pipe(
  v.string(passwordLength),
  v.minLength(8, passwordLength),
  v.maxLength(100, passwordLength),
  v.check(
    password => [/\d/, /[a-z]/, /[A-Z]/, /[!@#$%^&+=]/].every(kind => kind.test(password)),
    'Password must contain at least one digit, one lowercase letter, one uppercase letter, and one special character (!@#$%^&+=)',
  ),
)
export const commonPassword = 'This password is too common. Please choose another one'
export const newPassword = v.pipe(
  mixedPassword,
  v.check(password => !isCommonPassword(password), commonPassword),
)
// The limit only prevents abuse; a longer password is simply wrong.
export const enteredPassword = (message: string) =>
  v.pipe(v.string(message), v.minLength(1, message), v.maxLength(1000, message))

function personName(label: string) {
  const length = `${label} must be between 1 and 100 characters long`
  return v.pipe(
    v.string(length),
    v.trim(),
    v.minLength(1, length),
    v.maxLength(100, length),
    // Letters of any script.
    v.regex(/^[\p{L}\p{M} ]*$/u, `${label} must contain only letters and spaces`),
  )
}
export const firstName = personName('First name')
export const lastName = personName('Last name')

export const secret = (message: string) => v.pipe(v.string(message), v.minLength(1, message), v.maxLength(200, message))

/** How the user reads numbers and days, and in which time zone. */
export const regionFields = {
  locale: v.optional(v.pipe(v.string(), v.maxLength(35), v.check(isLocale, 'Must be a language tag, such as en-GB'))),
  timezone: v.optional(
    v.pipe(v.string(), v.maxLength(64), v.check(isTimeZone, 'Must be a time zone, such as Europe/Berlin')),
  ),
}

export const instant = v.pipe(v.string(), v.isoTimestamp())

// Anybody can call the endpoints of an account, and their bodies are short.
export const maxBodyBytes = 16 * 1024
export const emailAnswer = v.object({ email: v.string() })
