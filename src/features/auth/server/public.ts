export { createAuthenticator, readSession } from './authenticate.ts'
export { sessionsEnded } from './signals.ts'
export { isSessionActive } from './sql.ts'
export { accountNames, demoteUser, promoteUser } from './user.ts'
