import { mutationOptions } from '@tanstack/react-query'
import type { InferInput } from 'valibot'
import { call } from '#client/api/call.ts'
import { discardUnsavedWork } from '#client/api/session/unsaved-work.ts'
import { getSession, setSession, signOut } from '#client/api/session/session.ts'
import { discardOwnEdits } from '#client/outbox/outbox.ts'
import {
  authEndpoints,
  type changePasswordBody,
  type loginBody,
  type registerBody,
  type resetPasswordBody,
} from '../contract.ts'

// The form itself shows why a call failed.
const shownByForm = { silent: true }

/** Logs in and stores the session. */
export function logIn() {
  return mutationOptions({
    mutationFn: (body: InferInput<typeof loginBody>) => call(authEndpoints.login, { body }),
    onSuccess: result => setSession(result),
    meta: shownByForm,
  })
}

/** Registers. */
export function register() {
  return mutationOptions({
    mutationFn: (body: InferInput<typeof registerBody>) => call(authEndpoints.register, { body }),
    meta: shownByForm,
  })
}

/** Requests another verification email. */
export function resendVerification() {
  return mutationOptions({
    mutationFn: (email: string) => call(authEndpoints.resendVerification, { body: { email } }),
    meta: { errorTitle: 'The email was not sent' },
  })
}

/** Requests an email with a link to choose a new password. */
export function forgotPassword() {
  return mutationOptions({
    mutationFn: (body: { email: string }) => call(authEndpoints.forgotPassword, { body }),
    meta: shownByForm,
  })
}

/** Sets a new password with the token of an email. */
export function resetPassword() {
  return mutationOptions({
    mutationFn: (body: InferInput<typeof resetPasswordBody>) => call(authEndpoints.resetPassword, { body }),
    meta: shownByForm,
  })
}

/** Changes the password of the logged-in user. */
export function changePassword() {
  return mutationOptions({
    mutationFn: (body: InferInput<typeof changePasswordBody>) => call(authEndpoints.changePassword, { body }),
  })
}

/**
 * Ends the session on this device, and on the server if it can be reached. Deletes the user's unsaved work: the user has
 * confirmed this, and the next user of this device must not see it.
 */
export function logOut() {
  return mutationOptions({
    mutationFn: async () => {
      const session = getSession()
      discardOwnEdits()
      discardUnsavedWork()
      if (session)
        await call(authEndpoints.logout, { body: { refreshToken: session.refreshToken } }).catch(() => undefined)
      await signOut()
    },
    meta: { silent: true },
  })
}
