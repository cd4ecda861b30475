import { setTimeout as sleep } from 'node:timers/promises'
import { LRUCache } from 'lru-cache'
import { AppError } from '#shared/errors.ts'
import type { Services } from '#server/context.ts'
import { createLease, type Lease, LeaseLost } from '#server/db/lease.ts'
import type { Database } from '#server/db/open-database.ts'
import type { Db } from '#server/db/tables.ts'
import { raiseVersion } from '#server/db/tenant-version.ts'
import type { AccessTokens } from '#server/http-client/access-tokens.ts'
import { type Grant, GrantRevoked, type LoginWithAmazon } from '#integrations/login-with-amazon/index.ts'
import type { ConnectionKind } from '../contract.ts'
import { connectionLost } from './signals.ts'
import { accountsOf } from './sql/merchants.ts'

/** What renewing a token needs; less than all services, since the doors to the outside are opened with it. */
type TokenServices = Pick<Services, 'db' | 'clock' | 'log' | 'vault' | 'jobs' | 'events'>
/** Returns the login client with which a kind of connection renews its tokens. */
type LoginOf = (kind: ConnectionKind) => Pick<LoginWithAmazon, 'refresh'>

const maxConnections = 10_000

/** Access tokens by a connection's number alone: whose it is is looked up once and remembered. Throws like accessToken. */
export function createConnectionTokens(
  services: TokenServices,
  logins: Record<ConnectionKind, ReturnType<LoginOf>>,
): AccessTokens {
  const merchants = new LRUCache<number, number>({ max: maxConnections })
  const merchantOf = async (connectionId: number): Promise<number> => {
    const rows = services.db.system.selectFrom('connection').select('merchant_id')
    const row = await rows.where('id', '=', connectionId).executeTakeFirst()
    if (!row) throw new AppError('NOT_FOUND', 'There is no such connection.')
    merchants.set(connectionId, row.merchant_id)
    return row.merchant_id
  }
  return async (connectionId, refused) => {
    const merchantId = merchants.get(connectionId) ?? (await merchantOf(connectionId))
    return accessToken(services, kind => logins[kind], { connectionId, merchantId, refused })
  }
}

interface TokenRequest {
  merchantId: number
  connectionId: number
  /** A token that the marketplace just refused. */
  refused?: string | undefined
}

const marginMs = 5 * 60_000
const renewalSeconds = 30
const lookAgainMs = 100

// One renewal at a time in this process, however many wait for it; by database, so that tests do not meet.
const underway = new WeakMap<Database, Map<number, Promise<string>>>()

/**
 * A valid access token of a connection, renewed five minutes before its end or when it was refused: by one call however
 * many wait, in this process and in others. Throws UPSTREAM_UNAUTHORIZED once the permission was revoked (the
 * connection is marked as lost then, and nothing is deleted), NOT_FOUND when there is no such connection, and what the
 * login client throws when it cannot be reached.
 */
export async function accessToken(services: TokenServices, loginOf: LoginOf, request: TokenRequest): Promise<string> {
  const usable = await usableToken(services, request)
  if (usable) return usable
  const running = underway.get(services.db) ?? new Map<number, Promise<string>>()
  underway.set(services.db, running)
  const other = running.get(request.connectionId)
  if (other) return other
  const started = renewOrWait(services, loginOf, request).finally(() => running.delete(request.connectionId))
  running.set(request.connectionId, started)
  return started
}

type Owner = Pick<TokenRequest, 'merchantId' | 'connectionId'>

/** What a token is sealed for: table, row and column, so that it opens nowhere else. */
const sealContext = ({ merchantId, connectionId }: Owner, field: 'refresh_token' | 'access_token'): string =>
  `connection:${merchantId}:${connectionId}:${field}`

/** Seals a grant for its connection, stores it and lets the next renewal begin. */
export async function storeGrant(
  { vault }: Pick<Services, 'vault'>,
  db: Db,
  owner: Owner,
  grant: Pick<Grant, 'accessToken' | 'refreshToken' | 'expiresAt'>,
): Promise<void> {
  await db
    .updateTable('connection')
    .set({
      refresh_token_sealed: vault.seal(grant.refreshToken, sealContext(owner, 'refresh_token')),
      access_token_sealed: vault.seal(grant.accessToken, sealContext(owner, 'access_token')),
      access_token_expires_at: grant.expiresAt,
      renewing_until: null,
    })
    .where('merchant_id', '=', owner.merchantId)
    .where('id', '=', owner.connectionId)
    .where('health', '=', 'CONNECTED')
    .execute()
  await raiseVersion(db, owner.merchantId)
}

const lost = () =>
  new AppError(
    'UPSTREAM_UNAUTHORIZED',
    'The marketplace no longer accepts our permission. Please connect the account again.',
  )

async function usableToken(services: TokenServices, request: TokenRequest): Promise<string | null> {
  const row = await stored(services, request)
  if (!row.accessTokenSealed || !row.accessTokenExpiresAt) return null
  if (row.accessTokenExpiresAt.getTime() - marginMs <= services.clock.now().getTime()) return null
  const token = services.vault.open(row.accessTokenSealed, sealContext(request, 'access_token'))
  return token === request.refused ? null : token
}

async function stored({ db }: TokenServices, { merchantId, connectionId }: TokenRequest) {
  const row = await db.reading(merchantId, tx =>
    tx
      .selectFrom('connection')
      .select(['kind', 'health', 'refresh_token_sealed as refreshTokenSealed'])
      .select(['access_token_sealed as accessTokenSealed', 'access_token_expires_at as accessTokenExpiresAt'])
      .where('merchant_id', '=', merchantId)
      .where('id', '=', connectionId)
      .executeTakeFirst(),
  )
  if (!row) throw new AppError('NOT_FOUND', 'There is no such connection.')
  if (row.health !== 'CONNECTED' || !row.refreshTokenSealed) throw lost()
  return { ...row, refreshTokenSealed: row.refreshTokenSealed }
}

async function renewOrWait(services: TokenServices, loginOf: LoginOf, request: TokenRequest): Promise<string> {
  const { merchantId, connectionId } = request
  const lease = createLease({
    table: 'connection',
    key: { merchant_id: merchantId, id: connectionId },
    until: 'renewing_until',
    seconds: renewalSeconds,
    transact: work => services.db.tenant(merchantId, work),
  })
  for (;;) {
    if (await lease.take()) {
      try {
        return await renew(services, loginOf, request, lease)
      } catch (error) {
        // Another process has renewed meanwhile, or the user has connected again: what they stored stays.
        if (!(error instanceof LeaseLost)) throw error
      } finally {
        await lease.release()
      }
    } else await sleep(lookAgainMs)
    const usable = await usableToken(services, request)
    if (usable) return usable
  }
}

async function renew(services: TokenServices, loginOf: LoginOf, request: TokenRequest, lease: Lease): Promise<string> {
  const { vault } = services
  // Another process may have renewed between our look and our turn.
  const usable = await usableToken(services, request)
  if (usable) return usable
  const row = await stored(services, request)
  const refreshToken = vault.open(row.refreshTokenSealed, sealContext(request, 'refresh_token'))
  try {
    const grant = await loginOf(row.kind).refresh(refreshToken)
    await lease.write(tx => storeGrant(services, tx, request, grant))
    return grant.accessToken
  } catch (error) {
    if (!(error instanceof GrantRevoked)) throw error
    await lease.renew()
    await markLost(services, request)
    throw lost()
  }
}

async function markLost(services: TokenServices, { merchantId, connectionId }: TokenRequest): Promise<void> {
  const { db, clock, events, jobs, log } = services
  await db.transaction(async tx => {
    const row = await tx
      .updateTable('connection')
      .set({ health: 'LOST', lost_at: clock.now(), access_token_sealed: null, access_token_expires_at: null })
      .set({ renewing_until: null })
      .where('merchant_id', '=', merchantId)
      .where('id', '=', connectionId)
      .where('health', '=', 'CONNECTED')
      .returning('kind')
      .executeTakeFirst()
    await raiseVersion(tx, merchantId)
    if (!row) return
    const connection = { merchantId, connectionId, kind: row.kind }
    await jobs.announce(tx, connectionLost, connection)
    await events.publish(tx, await accountsOf(tx, merchantId), 'connection-lost', connection)
    log.warn(connection, 'a connection was lost')
  })
}
