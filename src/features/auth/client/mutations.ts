import { mutationOptions } from '@tanstack/react-query'
import type { InferInput } from 'valibot'
import { call } from '#client/api/call.ts'
import { setSession } from '#client/api/session/session.ts'
import {
  authEndpoints,
  type changePasswordBody,
  type loginBody,
  type registerBody,
  type resetPasswordBody,
} from '../contract.ts'
import { deviceRegion, setRegion } from '#client/api/region.ts'

/** A call whose form shows itself why it failed. */
function formCall<B, T>(mutationFn: (body: B) => Promise<T>) {
  return mutationOptions({ mutationFn, meta: { silent: true } })
}

export const logIn = () => formCall(enterSession)

/** Logs in on this device. */
export async function enterSession(body: InferInput<typeof loginBody>) {
  const answer = await call(authEndpoints.login, { body })
  setRegion(answer)
  setSession(answer)
  return answer
}

export const register = () =>
  formCall((body: InferInput<typeof registerBody>) => {
    const { locale, timeZone: timezone } = deviceRegion()
    return call(authEndpoints.register, { body: { locale, timezone, ...body } })
  })

export const forgotPassword = () => formCall((body: { email: string }) => call(authEndpoints.forgotPassword, { body }))

export const resetPassword = () =>
  formCall((body: InferInput<typeof resetPasswordBody>) => call(authEndpoints.resetPassword, { body }))

export function resendVerification() {
  return mutationOptions({
    mutationFn: (email: string) => call(authEndpoints.resendVerification, { body: { email } }),
    meta: { errorTitle: 'The email was not sent' },
  })
}

export function changePassword() {
  return mutationOptions({
    mutationFn: (body: InferInput<typeof changePasswordBody>) => call(authEndpoints.changePassword, { body }),
  })
}
