export { createAuthenticator, readSession, signingKey } from './authenticate.ts'
export { countInvitation } from './attempt-limits.ts'
export { hashPassword } from './password.ts'
export { registerInvited } from './registration.ts'
export { hashSecret, newSecret } from './secret-token.ts'
export { announceSessionsEnded, registeredByCode, sessionsEnded } from './signals.ts'
export {
  accountByEmail,
  clearManaged,
  isPrivileged,
  isSessionActive,
  managedUntil,
  regionOf,
  setManaged,
} from './sql.ts'
export {
  accountEmails,
  accountNames,
  type CodedRegistration,
  codedRegistrations,
  demoteUser,
  listUsers,
  promoteUser,
  type UserFilter,
} from './user.ts'
