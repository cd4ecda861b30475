import { lazy } from 'react'

export { authoritiesOfUser, userQueries } from './queries.ts'

// Loaded on demand, because routes import this file for the user's rights.
export const ChangePasswordForm = lazy(() =>
  import('./change-password-form.tsx').then(m => ({ default: m.ChangePasswordForm })),
)
export const SessionsCard = lazy(() => import('./sessions-card.tsx').then(m => ({ default: m.SessionsCard })))
export const ErasureCard = lazy(() => import('./erasure-card.tsx').then(m => ({ default: m.ErasureCard })))
export const AccountBlock = lazy(() => import('./account-block.tsx').then(m => ({ default: m.AccountBlock })))
export const LogOutButton = lazy(() => import('./log-out-button.tsx').then(m => ({ default: m.LogOutButton })))
