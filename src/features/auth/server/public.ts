export { createAuthenticator } from './authenticate.ts'
export { sessionsEnded } from './signals.ts'
export { isSessionActive } from './sql.ts'
export { demoteUser, promoteUser } from './user.ts'
