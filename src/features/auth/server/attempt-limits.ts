import { createHash } from 'node:crypto'
import { CompiledQuery } from 'kysely'
import { RateLimiterPostgres, RateLimiterRes } from 'rate-limiter-flexible'
import type { PublicCtx } from '#server/context.ts'
import type { Database } from '#server/db/open-database.ts'
import type { Db } from '#server/db/tables.ts'
import { AppError } from '#shared/errors.ts'
import { networkOf } from '#shared/network-of.ts'

// The database counts, so that several processes count together. Nobody is locked out for longer than the window.
const limits = {
  guessesBySubject: { points: 10, duration: 15 * 60 },
  guessesByNetwork: { points: 100, duration: 15 * 60 },
  registrations: { points: 60, duration: 60 * 60 },
  mailRequests: { points: 60, duration: 60 * 60 },
  mails: { points: 5, duration: 15 * 60 },
} as const
type Limiters = Record<keyof typeof limits, RateLimiterPostgres>

const opened = new WeakMap<Database, Limiters>()

function limitersOf(db: Database): Limiters {
  const known = opened.get(db)
  if (known) return known
  const made = Object.fromEntries(
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
  opened.set(db, made)
  return made
}

// The library asks a pg pool; this is the part of one that it calls, over either engine.
function poolOver(db: Db) {
  return {
    query: async ({ text, values }: { text: string; values: unknown[] }) => {
      const { rows } = await db.executeQuery(CompiledQuery.raw(text, values))
      return { rows, rowCount: rows.length }
    },
  }
}

async function count(limiter: RateLimiterPostgres, key: string) {
  try {
    await limiter.consume(key)
  } catch (refused) {
    if (!(refused instanceof RateLimiterRes)) throw refused
    throw new AppError('RATE_LIMITED', 'Too many attempts. Please wait a while and try again.', {
      retryAfterSeconds: Math.max(1, refused.msBeforeNext / 1000),
    })
  }
}

// Addresses of people do not belong in a counter's key.
const digest = (text: string) => createHash('sha256').update(text).digest('base64url')

interface Guess {
  /** What is tried: `login`, `change-password`. */
  purpose: string
  /** Whose secret it is. */
  subject: string
}
const guessKey = ({ purpose, subject }: Guess, ip: string) => digest(`${purpose}|${subject}|${networkOf(ip)}`)

/** Counts a try at a secret, by who is tried from where and by where alone. Throws RATE_LIMITED with how long to wait. */
export async function countGuess({ db, ip }: Pick<PublicCtx, 'db' | 'ip'>, guess: Guess): Promise<void> {
  const { guessesBySubject, guessesByNetwork } = limitersOf(db)
  await count(guessesByNetwork, networkOf(ip))
  await count(guessesBySubject, guessKey(guess, ip))
}

/** Takes back what a try that was right had counted, and the wrong ones before it. */
export async function forgiveGuesses({ db, ip }: Pick<PublicCtx, 'db' | 'ip'>, guess: Guess): Promise<void> {
  const { guessesBySubject, guessesByNetwork } = limitersOf(db)
  await guessesBySubject.delete(guessKey(guess, ip))
  await guessesByNetwork.reward(networkOf(ip))
}

/** Counts a registration. Throws RATE_LIMITED. */
export const countRegistration = async ({ db, ip }: Pick<PublicCtx, 'db' | 'ip'>): Promise<void> =>
  count(limitersOf(db).registrations, networkOf(ip))

/** Counts a request to have something mailed, by where it came from alone. Throws RATE_LIMITED. */
export const countMailRequest = async ({ db, ip }: Pick<PublicCtx, 'db' | 'ip'>): Promise<void> =>
  count(limitersOf(db).mailRequests, networkOf(ip))

/**
 * True while an address may be sent another mail of this kind that anybody can request; counts it. Each kind has a budget
 * of its own, so that nobody can use up the one of another, and only mails that are sent are counted.
 */
export async function mayMail({ db }: Pick<PublicCtx, 'db'>, kind: string, email: string): Promise<boolean> {
  try {
    await limitersOf(db).mails.consume(digest(`${kind}|${email}`))
    return true
  } catch (refused) {
    if (refused instanceof RateLimiterRes) return false
    throw refused
  }
}
