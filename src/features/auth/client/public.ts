import { lazy } from 'react'

export { authoritiesOfUser, userQueries } from './queries.ts'

// Routes ask this door what a user may do; the forms behind it are not part of a first visit.
export const ChangePasswordForm = lazy(() =>
  import('./password/change-password-form.tsx').then(m => ({ default: m.ChangePasswordForm })),
)
export const AccountBlock = lazy(() => import('./account-block.tsx').then(m => ({ default: m.AccountBlock })))
export const LogOutButton = lazy(() => import('./session/log-out-button.tsx').then(m => ({ default: m.LogOutButton })))
