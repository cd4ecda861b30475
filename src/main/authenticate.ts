import { sql } from 'kysely'
import { currentMerchant, type TenancyColumns, tenancyColumns } from '#features/accounts/server/public.ts'
import { createAuthenticator } from '#features/auth/server/public.ts'
import { type AccessColumns, accessAt, accessColumns } from '#features/subscription/server/public.ts'
import type { Actor, Services } from '#server/context.ts'
import { machineClock } from '#server/clock/follow-clock.ts'
import { versionOf } from '#server/db/tenant-version.ts'

const columns = sql<TenancyColumns & AccessColumns & { dataVersion: number | null }>`
  ${tenancyColumns}, ${accessColumns(sql`a.id`, currentMerchant)}, ${versionOf(currentMerchant)} as "dataVersion"`

/** The actor of a bearer token, with merchants, access and data version, in one query; null if the token is invalid. */
export function createAuthenticate(services: Services): (token: string) => Promise<Actor | null> {
  const authenticate = createAuthenticator({ ...services, clock: machineClock(services.clock) }, columns)
  return async token => {
    const session = await authenticate(token)
    if (!session) return null
    const { subscriptions, merchantTrial, dataVersion, ...actor } = session
    const access = accessAt({ subscriptions, merchantTrial }, actor.accountId, services.clock.now())
    return { ...actor, ...access, dataVersion: dataVersion ?? 0 }
  }
}
