import { mutationOptions } from '@tanstack/react-query'
import type { InferInput } from 'valibot'
import { call } from '#client/api/call.ts'
import { forgetOwnWork } from '#client/api/session/own-work.ts'
import { getSession, setSession, signOut } from '#client/api/session/session.ts'
import { withdrawAll } from '#client/outbox/outbox.ts'
import {
  authEndpoints,
  type changePasswordBody,
  type loginBody,
  type registerBody,
  type resetPasswordBody,
} from '../contract.ts'

// The form itself says why it was refused.
const toldByForm = { silent: true }

/** Logs in and keeps the tokens. */
export function logIn() {
  return mutationOptions({
    mutationFn: (body: InferInput<typeof loginBody>) => call(authEndpoints.login, { body }),
    onSuccess: result => setSession(result),
    meta: toldByForm,
  })
}

/** Registers. */
export function register() {
  return mutationOptions({
    mutationFn: (body: InferInput<typeof registerBody>) => call(authEndpoints.register, { body }),
    meta: toldByForm,
  })
}

/** Has the verification mail sent again. */
export function resendVerification() {
  return mutationOptions({
    mutationFn: (email: string) => call(authEndpoints.resendVerification, { body: { email } }),
    meta: { errorTitle: 'The mail was not sent' },
  })
}

/** Has a link sent with which to choose a new password. */
export function forgotPassword() {
  return mutationOptions({
    mutationFn: (body: { email: string }) => call(authEndpoints.forgotPassword, { body }),
    meta: toldByForm,
  })
}

/** Chooses a new password by the token of a mail. */
export function resetPassword() {
  return mutationOptions({
    mutationFn: (body: InferInput<typeof resetPasswordBody>) => call(authEndpoints.resetPassword, { body }),
    meta: toldByForm,
  })
}

/** Changes the password of who is logged in. */
export function changePassword() {
  return mutationOptions({
    mutationFn: (body: InferInput<typeof changePasswordBody>) => call(authEndpoints.changePassword, { body }),
  })
}

/**
 * Ends the session at the server where it can be reached, and on this device in any case, with what the user made
 * here and still waits to be saved: who logs out was asked, and the next user of this device has no business with it.
 */
export function logOut() {
  return mutationOptions({
    mutationFn: async () => {
      const session = getSession()
      withdrawAll()
      forgetOwnWork()
      if (session)
        await call(authEndpoints.logout, { body: { refreshToken: session.refreshToken } }).catch(() => undefined)
      await signOut()
    },
    meta: { silent: true },
  })
}
