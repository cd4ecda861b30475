import { type Route, route } from '#server/http/route.ts'
import { authEndpoints as auth } from '../contract.ts'
import { userEndpoints as user } from '../user-contract.ts'
import { requestMail } from './account-mails.ts'
import { changePassword, resetPassword } from './password.ts'
import { type IsAffiliateCode, register, verifyEmail } from './registration.ts'
import { login, logout, refreshSession } from './session.ts'
import { keepAccount, keepAccountByToken, requestErasure } from './request-erasure.ts'
import { endAllSessions, endOneSession, listSessions } from './sessions.ts'
import { getShortUser, getUser, type ProfilesOf, updateUser } from './user.ts'

/** The routes of the log-in. `isAffiliateCode` comes from a feature that auth must not import. */
export const createAuthRoutes = ({ isAffiliateCode }: { isAffiliateCode: IsAffiliateCode }): Route[] => [
  route(auth.register, (ctx, { body }) => register(ctx, body, isAffiliateCode)),
  route(auth.resendVerification, (ctx, { body }) => requestMail(ctx, 'VERIFY_EMAIL', body.email)),
  route(auth.verifyEmail, (ctx, { body }) => verifyEmail(ctx, body.token)),
  route(auth.login, (ctx, { body }) => login(ctx, body)),
  route(auth.refresh, (ctx, { body }) => refreshSession(ctx, body.refreshToken)),
  route(auth.logout, (ctx, { body }) => logout(ctx, body.refreshToken)),
  route(auth.forgotPassword, (ctx, { body }) => requestMail(ctx, 'RESET_PASSWORD', body.email)),
  route(auth.resetPassword, (ctx, { body }) => resetPassword(ctx, body)),
  route(auth.changePassword, (ctx, { body }) => changePassword(ctx, body)),
]

/** The routes of /user. `profilesOf` comes from a feature that auth must not import. */
export function createUserRoutes({ profilesOf }: { profilesOf: ProfilesOf }): Route[] {
  return [
    route(user.get, ctx => getUser(ctx, profilesOf)),
    route(user.update, (ctx, { body }) => updateUser(ctx, body, profilesOf)),
    route(user.erase, (ctx, { body }) => requestErasure(ctx, body.password)),
    route(user.keep, keepAccount),
    route(user.keepByToken, (ctx, { body }) => keepAccountByToken(ctx, body.token)),
    route(user.sessions, listSessions),
    route(user.endSession, (ctx, { params }) => endOneSession(ctx, params.id)),
    route(user.endSessions, (ctx, { body }) => endAllSessions(ctx, body)),
    route(user.short, ctx => getShortUser(ctx)),
  ]
}
