export { createAuthenticator } from './session/authenticate.ts'
export { accountWithRoles as accountById } from './sql/accounts.ts'
export { demoteUser, promoteUser } from './user/promote-user.ts'
export type { ProfilesOf } from './user/get-user.ts'
