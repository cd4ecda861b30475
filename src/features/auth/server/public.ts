export { createAuthenticator, readSession } from './authenticate.ts'
export { registeredByCode, sessionsEnded } from './signals.ts'
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
