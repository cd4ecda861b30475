export { ChangePasswordForm } from './change-password-form.tsx'
export { LogOutButton } from './log-out-button.tsx'
export { authoritiesOfUser, userQueries } from './queries.ts'
