export { createAuthenticator, readSession } from './authenticate.ts'
export { registeredByCode, sessionsEnded } from './signals.ts'
export { accountByEmail, isSessionActive } from './sql.ts'
export {
  accountEmails,
  accountNames,
  type CodedRegistration,
  codedRegistrations,
  demoteUser,
  promoteUser,
} from './user.ts'
