import * as v from 'valibot'
import { defineEndpoint } from '#shared/define-endpoint.ts'
import { id } from '#shared/query-schemas.ts'
import { isCommonPassword } from './common-passwords.ts'
import { isLocale, isTimeZone } from '#shared/region-format.ts'

export const accountType = v.picklist(['VENDOR', 'SELLER', 'AGENCY'], 'Choose an account type')
export type AccountType = v.InferOutput<typeof accountType>

/** A strict object; a missing field gets the same message as an empty one. */
function fields<const E extends v.ObjectEntries>(entries: E) {
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
const email = emailOf('Email must be a valid email address')
/** An email address in a form, as it is stored: trimmed and in lower case. */
export const emailField = emailOf('Please enter a valid email address')
const enteredEmail = emailField

const passwordLength = 'Password must be between 8 and 100 characters long'
/** What a new password must be, before anything is wrong with it. */
export const passwordHelp =
  '8 to 100 characters with a digit, a lowercase and an uppercase letter, and one of !@#$%^&+='
// Not trimmed: every character of a password counts.
const mixedPassword = v.pipe(
  v.string(passwordLength),
  v.minLength(8, passwordLength),
  v.maxLength(100, passwordLength),
  v.check(
    password => [/\d/, /[a-z]/, /[A-Z]/, /[!@#$%^&+=]/].every(kind => kind.test(password)),
    'Password must contain at least one digit, one lowercase letter, one uppercase letter, and one special character (!@#$%^&+=)',
  ),
)
const commonPassword = 'This password is too common. Please choose another one'
const newPassword = v.pipe(
  mixedPassword,
  v.check(password => !isCommonPassword(password), commonPassword),
)
// The limit only prevents abuse; a longer password is simply wrong.
const enteredPassword = (message: string) =>
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
const firstName = personName('First name')
const lastName = personName('Last name')

const secret = (message: string) => v.pipe(v.string(message), v.minLength(1, message), v.maxLength(200, message))

// May have a common password: the README publishes it on purpose. The address's domain receives no mail, so it can only be
// verified with an emulated mail server.
const demonstrationEmail = 'demo@tideline.test'

const isPasswordAllowed = ({ email, password }: { email: string; password: string }): boolean =>
  email === demonstrationEmail || !isCommonPassword(password)

/** The formats that the settings offer; every other language tag works too. The texts are English in each. */
export const offeredFormats = [
  'en-US',
  'en-GB',
  'de-DE',
  'fr-FR',
  'es-ES',
  'it-IT',
  'nl-NL',
  'pl-PL',
  'sv-SE',
  'tr-TR',
  'ja-JP',
  'pt-BR',
  'hi-IN',
] as const

/** How the user reads numbers and days, and in which time zone. */
const regionFields = {
  locale: v.optional(v.pipe(v.string(), v.maxLength(35), v.check(isLocale, 'Must be a language tag, such as en-GB'))),
  timezone: v.optional(
    v.pipe(v.string(), v.maxLength(64), v.check(isTimeZone, 'Must be a time zone, such as Europe/Berlin')),
  ),
}

/** The registration form, and the body of its call. */
export const registerBody = v.pipe(
  fields({
    email,
    password: mixedPassword,
    firstName,
    lastName,
    accountType: v.optional(accountType, 'SELLER'),
    affiliateCode: v.optional(
      v.pipe(v.string(), v.trim(), v.maxLength(50, 'Affiliate code must be at most 50 characters long')),
    ),
    /** Of the device, until the user chooses others. */
    ...regionFields,
  }),
  v.forward(v.partialCheck([['email'], ['password']], isPasswordAllowed, commonPassword), ['password']),
)
export type RegisterInput = v.InferOutput<typeof registerBody>

/** What a person enters who registers by an invitation; the address is the invitation's. */
export const invitedFields = { password: newPassword, firstName, lastName, ...regionFields }
export type InvitedPerson = Pick<RegisterInput, 'password' | 'firstName' | 'lastName' | 'locale' | 'timezone'>

export const loginBody = fields({ email: enteredEmail, password: enteredPassword('Password is required') })

export const emailBody = fields({ email: enteredEmail })

const newPasswordFields = { newPassword, confirmPassword: enteredPassword('Please confirm your password') }
const enteredTwice = (input: { newPassword: string; confirmPassword: string }) =>
  input.newPassword === input.confirmPassword
const bothPasswords = [['newPassword'], ['confirmPassword']] as const
const mismatch = "Passwords don't match"

export const resetPasswordBody = v.pipe(
  fields({ token: secret('Reset token is required'), ...newPasswordFields }),
  v.forward(v.partialCheck(bothPasswords, enteredTwice, mismatch), ['confirmPassword']),
)
export type ResetPasswordInput = v.InferOutput<typeof resetPasswordBody>

export const changePasswordBody = v.pipe(
  fields({ email, currentPassword: enteredPassword('Current password is required'), ...newPasswordFields }),
  v.forward(v.partialCheck(bothPasswords, enteredTwice, mismatch), ['confirmPassword']),
)
export type ChangePasswordInput = v.InferOutput<typeof changePasswordBody>

export const userChanges = fields({
  firstName: v.optional(firstName),
  lastName: v.optional(lastName),
  ...regionFields,
})
export type UserChanges = v.InferOutput<typeof userChanges>

const instant = v.pipe(v.string(), v.isoTimestamp())

const loginResult = v.object({ accessToken: v.string(), refreshToken: v.string(), email: v.string() })
/** `refreshToken` can be used once, to get the next pair. */
export type LoginResult = v.InferOutput<typeof loginResult>

/** With the user's format and time zone, which the first screen is written in. */
const loggedIn = v.object({
  ...loginResult.entries,
  locale: v.string(),
  timezone: v.string(),
  /** The first log-in of the account that is known: the user may be asked what they want. */
  isFirst: v.boolean(),
  /** The account waits to be erased, and can be kept. */
  erasedAt: v.optional(instant),
})
export type LoggedIn = v.InferOutput<typeof loggedIn>

const role = v.object({
  id: v.number(),
  name: v.string(),
  authorities: v.array(v.object({ id: v.number(), name: v.string(), description: v.string() })),
})

export const userSchema = v.object({
  id,
  email: v.string(),
  firstName: v.string(),
  lastName: v.string(),
  accountType,
  affiliateCode: v.optional(v.string()),
  locale: v.string(),
  timezone: v.string(),
  dateCreated: instant,
  dateUpdated: instant,
  roles: v.array(role),
  /** The accounts contract defines all fields; here only the ids. */
  amazonProfiles: v.array(v.looseObject({ id, amazonProfileId: v.number() })),
  currentMerchantId: v.optional(id),
  /** What the user is to that merchant: a viewer changes nothing of it. */
  currentMerchantRole: v.optional(v.picklist(['OWNER', 'VIEWER'])),
  currentMarketplace: v.optional(
    v.object({ id: v.number(), amazonId: v.string(), name: v.string(), key: v.string(), currency: v.string() }),
  ),
  stripeCustomerId: v.optional(v.string()),
  trialStartDate: v.optional(instant),
  trialEndDate: v.optional(instant),
  hasUsedTrial: v.optional(v.boolean()),
  /** The account is erased then, unless its user keeps it before. */
  erasedAt: v.optional(instant),
})
export type User = v.InferOutput<typeof userSchema>
export type AmazonProfileOfUser = User['amazonProfiles'][number]

/** A user as lists have it: without trial and payment provider. */
export const listUserSchema = v.omit(userSchema, ['stripeCustomerId', 'trialStartDate', 'trialEndDate', 'hasUsedTrial'])
export type ListUser = v.InferOutput<typeof listUserSchema>

const loginSession = v.object({
  id: v.string(),
  /** The browser and its system, such as "Chrome on Android"; null where it does not say. */
  device: v.nullable(v.string()),
  /** The one of this call. */
  isCurrent: v.boolean(),
  createdAt: instant,
  /** When it last renewed its tokens, which it does every quarter of an hour while it is used. */
  lastUsedAt: instant,
})
export type LoginSession = v.InferOutput<typeof loginSession>

export const shortUser = v.object({ firstName: v.string(), lastName: v.string(), email: v.string() })
export type ShortUser = v.InferOutput<typeof shortUser>

// Anybody can call these endpoints, and their bodies are short.
const maxBodyBytes = 16 * 1024
const publicCall = { method: 'POST', access: 'public', maxBodyBytes } as const
const userCall = { method: 'POST', access: 'account', authority: 'MEMBER', maxBodyBytes } as const
const emailAnswer = v.object({ email: v.string() })
const refreshBody = fields({ refreshToken: secret('Refresh token is required') })

export const authEndpoints = {
  register: defineEndpoint({
    ...publicCall,
    path: '/auth/register',
    summary: 'Register; for an address that is taken, the answer is the same and its owner gets an email',
    status: 201,
    body: registerBody,
    response: emailAnswer,
  }),
  resendVerification: defineEndpoint({
    ...publicCall,
    path: '/auth/resend-verification',
    summary: 'Resend the verification email; the answer is the same if there is no such account',
    status: 202,
    body: emailBody,
    response: emailAnswer,
  }),
  verifyEmail: defineEndpoint({
    ...publicCall,
    path: '/auth/verify-email',
    summary: 'Verify an email address with the token of the email',
    body: fields({ token: secret('Verification token is required') }),
    response: emailAnswer,
    errors: ['TOKEN_INVALID'],
  }),
  login: defineEndpoint({
    ...publicCall,
    path: '/auth/login',
    summary: 'Log in',
    body: loginBody,
    response: loggedIn,
    errors: ['INVALID_CREDENTIALS', 'EMAIL_NOT_VERIFIED'],
  }),
  refresh: defineEndpoint({
    ...publicCall,
    path: '/auth/refresh',
    summary: 'Exchange a refresh token for a new pair; using one twice ends its session',
    body: refreshBody,
    response: loginResult,
    errors: ['UNAUTHENTICATED'],
  }),
  logout: defineEndpoint({
    ...userCall,
    path: '/auth/logout',
    managing: 'either',
    summary: 'End this session',
    status: 204,
    body: refreshBody,
    response: v.null(),
  }),
  forgotPassword: defineEndpoint({
    ...publicCall,
    path: '/auth/forgot-password',
    summary: 'Send a link to choose a new password; the answer is the same if there is no such account',
    status: 202,
    body: emailBody,
    response: emailAnswer,
  }),
  resetPassword: defineEndpoint({
    ...publicCall,
    path: '/auth/reset-password',
    summary: 'Set a new password with the token of the email; ends all sessions of the user',
    body: resetPasswordBody,
    response: emailAnswer,
    errors: ['TOKEN_INVALID'],
  }),
  changePassword: defineEndpoint({
    ...userCall,
    path: '/auth/change-password',
    managing: 'blocked',
    summary: 'Change the password; ends all other sessions of the user',
    body: changePasswordBody,
    response: emailAnswer,
  }),
}

export const userEndpoints = {
  get: defineEndpoint({ method: 'GET', path: '/user', access: 'account', summary: 'The user', response: userSchema }),
  update: defineEndpoint({
    method: 'PATCH',
    path: '/user',
    access: 'account',
    authority: 'MEMBER',
    summary: 'Change name, format or time zone of the user',
    maxBodyBytes,
    body: userChanges,
    response: userSchema,
  }),
  erase: defineEndpoint({
    method: 'DELETE',
    path: '/user',
    access: 'account',
    authority: 'MEMBER',
    managing: 'blocked',
    summary: 'Have the account erased in seven days; until then it can be kept',
    maxBodyBytes,
    status: 202,
    body: fields({ password: enteredPassword('Password is required') }),
    response: v.object({ erasedAt: instant }),
  }),
  keep: defineEndpoint({
    method: 'POST',
    path: '/user/keep',
    access: 'account',
    authority: 'MEMBER',
    managing: 'blocked',
    summary: 'Keep an account that is to be erased',
    status: 204,
    response: v.null(),
  }),
  /** Public: the token of the mail is the permission. */
  keepByToken: defineEndpoint({
    method: 'POST',
    path: '/auth/keep-account',
    access: 'public',
    maxBodyBytes,
    summary: 'Keep an account that is to be erased, with the token of the email',
    body: fields({ token: secret('The token of the email is required') }),
    response: emailAnswer,
    errors: ['TOKEN_INVALID'],
  }),
  sessions: defineEndpoint({
    method: 'GET',
    path: '/user/sessions',
    access: 'account',
    managing: 'blocked',
    summary: 'The log-ins of the user that have not ended, this one first',
    response: v.array(loginSession),
  }),
  endSession: defineEndpoint({
    method: 'DELETE',
    path: '/user/sessions/:id',
    access: 'account',
    authority: 'MEMBER',
    managing: 'blocked',
    summary: 'End one log-in of the user',
    params: v.object({ id: v.pipe(v.string(), v.uuid('Must be the id of a log-in')) }),
    status: 204,
    response: v.null(),
    errors: ['NOT_FOUND'],
  }),
  endSessions: defineEndpoint({
    ...userCall,
    managing: 'blocked',
    path: '/user/sessions/end',
    summary: 'End every log-in of the user, also this one unless it is kept',
    status: 204,
    body: fields({ keepThis: v.boolean() }),
    response: v.null(),
  }),
  short: defineEndpoint({
    method: 'GET',
    path: '/user/short',
    access: 'account',
    summary: 'Name and address of the user',
    response: shortUser,
  }),
}
