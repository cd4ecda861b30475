import { createHash } from 'node:crypto'
import { CompiledQuery } from 'kysely'
import { RateLimiterPostgres, RateLimiterRes } from 'rate-limiter-flexible'
import type { PublicCtx } from '#server/context.ts'
import type { Database } from '#server/db/open-database.ts'
import type { Db } from '#server/db/tables.ts'
import { AppError } from '#shared/errors.ts'
import { networkOf } from '#shared/network-of.ts'

// Counted in the database, for all processes together. Nobody is locked out for longer than the window.
const limits = {
  guessesBySubject: { points: 10, duration: 15 * 60 },
  guessesByNetwork: { points: 100, duration: 15 * 60 },
  registrations: { points: 60, duration: 60 * 60 },
  mailRequests: { points: 60, duration: 60 * 60 },
  mails: { points: 5, duration: 15 * 60 },
  invitations: { points: 30, duration: 60 * 60 },
} as const
type Limiters = Record<keyof typeof limits, RateLimiterPostgres>

const limitersByDatabase = new WeakMap<Database, Limiters>()

function limitersOf(db: Database): Limiters {
  const existing = limitersByDatabase.get(db)
  if (existing) return existing
  const limiters = Object.fromEntries(
    Object.entries(limits).map(([name, limit]) => [
      name,
      new RateLimiterPostgres({
        storeClient: poolOver(db.system),
        storeType: 'pool',
        tableName: 'auth_attempt',
        tableCreated: true,
        clearExpiredByTimeout: false,
        keyPrefix: name,
        ...limit,
      }),
    ]),
  ) as Limiters
  limitersByDatabase.set(db, limiters)
  return limiters
}

// The part of a pg pool that the library calls, for both database engines.
function poolOver(db: Db) {
  return {
    query: async ({ text, values }: { text: string; values: unknown[] }) => {
      const { rows } = await db.executeQuery(CompiledQuery.raw(text, values))
      return { rows, rowCount: rows.length }
    },
  }
}

/** Counts an event; returns how long to wait if there were too many, else null. */
async function waitingTimeMs(limiter: RateLimiterPostgres, key: string): Promise<number | null> {
  try {
    await limiter.consume(key)
    return null
  } catch (error) {
    if (error instanceof RateLimiterRes) return error.msBeforeNext
    throw error
  }
}

async function count(limiter: RateLimiterPostgres, key: string): Promise<void> {
  const waitMs = await waitingTimeMs(limiter, key)
  if (waitMs === null) return
  throw new AppError('RATE_LIMITED', 'Too many attempts. Please wait a while and try again.', {
    retryAfterSeconds: Math.max(1, waitMs / 1000),
  })
}

// A counter's key must not contain personal data.
const digest = (text: string) => createHash('sha256').update(text).digest('base64url')

interface Guess {
  /** For instance `login` or `change-password`. */
  purpose: string
  /** Whose secret is guessed. */
  subject: string
}
const guessKey = ({ purpose, subject }: Guess, ip: string) => digest(`${purpose}|${subject}|${networkOf(ip)}`)

/** Counts an attempt at a secret, by subject and network, and by network alone. Throws RATE_LIMITED with the time to wait. */
export async function countGuess({ db, ip }: Pick<PublicCtx, 'db' | 'ip'>, guess: Guess): Promise<void> {
  const { guessesBySubject, guessesByNetwork } = limitersOf(db)
  await count(guessesByNetwork, networkOf(ip))
  await count(guessesBySubject, guessKey(guess, ip))
}

/** After a correct attempt, resets the count of its subject. */
export async function forgiveGuesses({ db, ip }: Pick<PublicCtx, 'db' | 'ip'>, guess: Guess): Promise<void> {
  const { guessesBySubject, guessesByNetwork } = limitersOf(db)
  await guessesBySubject.delete(guessKey(guess, ip))
  await guessesByNetwork.reward(networkOf(ip))
}

/** Counts a registration or a request for an email, by network. Throws RATE_LIMITED. */
export function countByNetwork(
  { db, ip }: Pick<PublicCtx, 'db' | 'ip'>,
  what: 'registrations' | 'mailRequests',
): Promise<void> {
  return count(limitersOf(db)[what], networkOf(ip))
}

/**
 * Counts an email that anybody can request, and returns false once its address has received too many of this kind. Each
 * kind has its own limit, so that nobody can use up another one, and only emails that are sent count.
 */
export async function canMail({ db }: Pick<PublicCtx, 'db'>, kind: string, email: string): Promise<boolean> {
  return (await waitingTimeMs(limitersOf(db).mails, digest(`${kind}|${email}`))) === null
}

/**
 * Counts the mail of an invitation, by the account that invites and by the address, for all accounts together. Throws RATE_LIMITED with the
 * time to wait.
 */
export async function countInvitation({ db }: Pick<PublicCtx, 'db'>, accountId: number, email: string): Promise<void> {
  const { invitations, mails } = limitersOf(db)
  await count(invitations, String(accountId))
  await count(mails, digest(`INVITATION|${email}`))
}
