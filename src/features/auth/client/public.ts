import { lazy } from 'react'

export { authoritiesOfUser, onlyFor, userQueries, useUserAuthorities } from './queries.ts'

// Loaded on demand, because routes import this file for the user's rights.
export const ChangePasswordForm = lazy(() =>
  import('./change-password-form.tsx').then(m => ({ default: m.ChangePasswordForm })),
)
export const SessionsCard = lazy(() => import('./sessions-card.tsx').then(m => ({ default: m.SessionsCard })))
export const ErasureCard = lazy(() => import('./erasure-card.tsx').then(m => ({ default: m.ErasureCard })))
export const AccountBlock = lazy(() => import('./log-out-button.tsx').then(m => ({ default: m.AccountBlock })))
export const LogOutButton = lazy(() => import('./log-out-button.tsx').then(m => ({ default: m.LogOutButton })))

// For pages of other features where nobody is logged in yet.
export const AuthFrame = lazy(() => import('./auth-frame.tsx').then(m => ({ default: m.AuthFrame })))
export const AuthForm = lazy(() => import('./auth-frame.tsx').then(m => ({ default: m.AuthForm })))
/** Logs in on this device. */
export async function logInWith(body: { email: string; password: string }): Promise<void> {
  const { enterSession } = await import('./mutations.ts')
  await enterSession(body)
}
