import type { PublicCtx } from '#server/context.ts'
import { AppError } from '#shared/errors.ts'
import { networkOf } from '#shared/network-of.ts'
import type { LoginResult } from '../../contract.ts'
import { lifetimes } from '../../rules.ts'
import { hashSecret, successorOf } from '../secret-token.ts'
import { announceSessionsEnded } from '../signals.ts'
import { endSession, refreshTokenStates, rotateRefreshToken, type TokenOwner } from '../sql/sessions.ts'
import { issueAccessToken, signingKey } from './access-token.ts'

// Within the grace period, a second tab or a lost reply leaves a client one or two tokens behind; nobody honest is further.
const maxStepsBehind = 8

/**
 * Exchanges a refresh token for the next pair. For 20 seconds, the client that used a token gets the same successor again
 * (a second tab or a lost reply). After that, or from another client, a used token means theft and ends the session. Throws
 * UNAUTHENTICATED.
 */
export async function refreshSession(ctx: PublicCtx, refreshToken: string): Promise<LoginResult> {
  const now = ctx.clock.now()
  const next = successorOf(refreshToken, signingKey(ctx.config))
  const hash = hashSecret(refreshToken)
  const tokens = { hash, nextHash: hashSecret(next), usedBy: clientDigest(ctx) }
  const owner = await rotateRefreshToken(ctx.db.system, tokens, now)
  return owner ? pairOf(ctx, owner, next) : pairOfUsed(ctx, refreshToken)
}

async function pairOf(ctx: PublicCtx, owner: TokenOwner, refreshToken: string): Promise<LoginResult> {
  return {
    accessToken: await issueAccessToken(ctx, owner),
    refreshToken,
    email: owner.email,
  }
}

const signedOut = () => new AppError('UNAUTHENTICATED', 'Your session has ended. Please log in again.')

// A phone may change its network between two attempts, so the client's own id is preferred.
const clientDigest = ({ client, ip }: PublicCtx): string =>
  hashSecret(client.id === null ? `${networkOf(ip)} ${client.userAgent}` : `${client.id} ${client.userAgent}`)

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

/** The token and its successors by hash, as many as an honest client may be behind. */
function chainFrom(first: string, key: Uint8Array): Map<string, string> {
  const chain = new Map<string, string>()
  for (let token = first; chain.size <= maxStepsBehind; token = successorOf(token, key))
    chain.set(hashSecret(token), token)
  return chain
}
