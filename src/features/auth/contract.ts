import * as v from 'valibot'
import { defineEndpoint } from '#shared/define-endpoint.ts'
import { isCommonPassword } from './common-passwords.ts'
import {
  accountType,
  commonPassword,
  email,
  emailAnswer,
  emailField,
  enteredPassword,
  fields,
  firstName,
  instant,
  lastName,
  maxBodyBytes,
  mixedPassword,
  newPassword,
  regionFields,
  secret,
} from './account-fields.ts'

export { emailField, passwordHelp } from './account-fields.ts'

// May have a common password: the README publishes it on purpose. The address's domain receives no mail, so it can only be
// verified with an emulated mail server.
const demonstrationEmail = 'demo@tideline.test'

const isPasswordAllowed = ({ email, password }: { email: string; password: string }): boolean =>
  email === demonstrationEmail || !isCommonPassword(password)

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

export const loginBody = fields({ email: emailField, password: enteredPassword('Password is required') })

export const emailBody = fields({ email: emailField })

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

const publicCall = { method: 'POST', access: 'public', maxBodyBytes } as const
const userCall = { method: 'POST', access: 'account', authority: 'MEMBER', maxBodyBytes } as const
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
