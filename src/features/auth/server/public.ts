export { createAuthenticator, readSession } from './authenticate.ts'
export { registeredByCode, sessionsEnded } from './signals.ts'
export { accountByEmail, isSessionActive, regionOf } from './sql.ts'
export { accountEmails, accountNames, demoteUser, promoteUser } from './user.ts'
