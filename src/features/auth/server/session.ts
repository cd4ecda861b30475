import { randomUUID } from 'node:crypto'
import { sql } from 'kysely'
import type { Ctx, PublicCtx } from '#server/context.ts'
import { AppError } from '#shared/errors.ts'
import { networkOf } from '#shared/network-of.ts'
import type { LoggedIn, LoginResult } from '../contract.ts'
import { lifetimes } from '../rules.ts'
import { issueAccessToken, signingKey } from './authenticate.ts'
import { countGuess, forgiveGuesses } from './attempt-limits.ts'
import { verifyPassword } from './password.ts'
import { hashSecret, newSecret, successorOf } from './secret-token.ts'
import { announceSessionsEnded } from './signals.ts'
import { accountByEmail, endSession, hasSessions, insertSession, refreshTokenStates } from './sql.ts'

/**
 * Logs in: starts a session of at most 30 days and returns its first pair of tokens. Throws INVALID_CREDENTIALS, after the
 * same work for an unknown address, a wrong password and a suspended account; EMAIL_NOT_VERIFIED if the password is correct;
 * RATE_LIMITED after too many failures.
 */
export async function login(ctx: PublicCtx, input: { email: string; password: string }): Promise<LoggedIn> {
  const guess = { purpose: 'login', subject: input.email }
  await countGuess(ctx, guess)
  const account = await accountByEmail(ctx.db.system, input.email)
  const isCorrect = await verifyPassword(account?.passwordHash ?? null, input.password)
  if (!account || !isCorrect || account.status !== 'ACTIVE')
    throw new AppError('INVALID_CREDENTIALS', 'Email or password is incorrect.')
  await forgiveGuesses(ctx, guess)
  if (!account.emailVerifiedAt)
    throw new AppError(
      'EMAIL_NOT_VERIFIED',
      'Please verify your email address first. We have sent you an email with a link.',
    )
  const now = ctx.clock.now()
  const session = { id: randomUUID(), accountId: account.id, expiresAt: new Date(now.getTime() + lifetimes.sessionMs) }
  const refreshToken = newSecret()
  const isFirst = !(await hasSessions(ctx.db.system, account.id))
  await insertSession(ctx.db.system, {
    ...session,
    tokenHash: hashSecret(refreshToken),
    now,
    userAgent: ctx.client.userAgent,
  })
  const pair = await pairOf(ctx, { accountId: account.id, sessionId: session.id, email: account.email }, refreshToken)
  const { locale, timezone, erasedAt } = account
  return { ...pair, locale, timezone, isFirst, ...(erasedAt && { erasedAt: erasedAt.toISOString() }) }
}

/** Ends the session of the call, and the session of the refresh token if that is another one of the same account. */
export async function logout(ctx: Ctx, refreshToken: string): Promise<null> {
  const now = ctx.clock.now()
  const { sessionId, managedBy } = ctx.actor
  const accountId = managedBy?.accountId ?? ctx.actor.accountId
  const [state] = await refreshTokenStates(ctx.db.system, [hashSecret(refreshToken)], now)
  await ctx.db.transaction(async tx => {
    await endSession(tx, sessionId, 'LOGOUT', now)
    if (state?.accountId === accountId) await endSession(tx, state.sessionId, 'LOGOUT', now)
    await announceSessionsEnded(ctx, tx, accountId)
    // The streams of a user who was managed through it.
    if (managedBy) await announceSessionsEnded(ctx, tx, ctx.actor.accountId)
  })
  return null
}

interface TokenOwner {
  sessionId: string
  accountId: number
  email: string
}

async function pairOf(ctx: PublicCtx, owner: TokenOwner, refreshToken: string): Promise<LoginResult> {
  return { accessToken: await issueAccessToken(ctx, owner), refreshToken, email: owner.email }
}

/**
 * Exchanges a refresh token for the next pair. For 20 seconds, the client that used a token gets the same successor again
 * (a second tab or a lost reply). After that, or from another client, a used token means theft and ends the session. Throws
 * UNAUTHENTICATED.
 */
export async function refreshSession(ctx: PublicCtx, refreshToken: string): Promise<LoginResult> {
  const now = ctx.clock.now()
  const hash = hashSecret(refreshToken)
  const next = successorOf(refreshToken, signingKey(ctx.config))
  // In one statement: of simultaneous calls exactly one succeeds.
  const { rows } = await sql<TokenOwner>`
    with owner as (
      select s.id as session_id, a.id as account_id, a.email
      from refresh_token t join session s on s.id = t.session_id join account a on a.id = s.account_id
      where t.token_hash = ${hash} and s.ended_at is null and s.expires_at > ${now} and a.status = 'ACTIVE'
    ), used as (
      update refresh_token t set used_at = ${now}, used_by = ${clientDigest(ctx)} from owner o
      where t.token_hash = ${hash} and t.session_id = o.session_id and t.used_at is null
      returning o.session_id, o.account_id, o.email
    ), seen as (
      update session s set last_used_at = ${now}, user_agent = ${ctx.client.userAgent.slice(0, 400)} from used u where s.id = u.session_id
    ), issued as (
      insert into refresh_token (token_hash, session_id, issued_at) select ${hashSecret(next)}, session_id, ${now} from used
    )
    select session_id as "sessionId", account_id as "accountId", email from used`.execute(ctx.db.system)
  return rows[0] ? pairOf(ctx, rows[0], next) : pairOfUsed(ctx, refreshToken)
}

// A phone may change its network between two attempts, so the client's own id is preferred.
const clientDigest = ({ client, ip }: PublicCtx): string =>
  hashSecret(`${client.id ?? networkOf(ip)} ${client.userAgent}`)

const signedOut = () => new AppError('UNAUTHENTICATED', 'Your session has ended. Please log in again.')

// Follows the chain from a recently used token to the unused one, with one query.
async function pairOfUsed(ctx: PublicCtx, refreshToken: string): Promise<LoginResult> {
  const now = ctx.clock.now()
  const chain = chainFrom(refreshToken, signingKey(ctx.config))
  const states = await refreshTokenStates(ctx.db.system, [...chain.keys()], now)
  const used = states.find(state => state.hash === hashSecret(refreshToken))
  if (!used?.usedAt) throw signedOut()
  const isRecent = now.getTime() - used.usedAt.getTime() < lifetimes.refreshGraceMs
  const isSameClient = used.usedBy === null || used.usedBy === clientDigest(ctx)
  const unused = states.find(state => !state.usedAt)
  const token = unused && chain.get(unused.hash)
  if (isRecent && isSameClient && unused && token) return pairOf(ctx, unused, token)
  const { accountId, sessionId } = used
  await ctx.db.transaction(async tx => {
    await endSession(tx, sessionId, 'TOKEN_REUSED', now)
    await announceSessionsEnded(ctx, tx, accountId)
  })
  ctx.log.warn({ accountId, sessionId, isRecent, isSameClient }, 'a refresh token was used twice')
  throw signedOut()
}

// Within the grace period, a second tab or a lost reply leaves a client one or two tokens behind; nobody honest is further.
const maxStepsBehind = 8

/** The token and its successors by hash, as many as an honest client may be behind. */
function chainFrom(first: string, key: Uint8Array): Map<string, string> {
  const chain = new Map<string, string>()
  for (let token = first; chain.size <= maxStepsBehind; token = successorOf(token, key))
    chain.set(hashSecret(token), token)
  return chain
}
