import { sql } from 'kysely'
import { currentMerchant, type TenancyColumns, tenancyColumns } from '#features/accounts/server/public.ts'
import { createAuthenticator } from '#features/auth/server/public.ts'
import { type AccessColumns, accessAt, accessColumns } from '#features/subscription/server/public.ts'
import type { Actor, Services } from '#server/context.ts'
import { machineClock } from '#server/clock/follow-clock.ts'
import { versionOf } from '#server/db/tenant-version.ts'

const columns = sql<TenancyColumns & AccessColumns & { dataVersion: number | null }>`
  ${tenancyColumns}, ${accessColumns(sql`a.id`, currentMerchant)}, ${versionOf(currentMerchant)} as "dataVersion"`

/** Tells who a bearer token stands for, with merchants, access and data version in one query; null when it is not good. */
export function createAuthenticate(services: Services): (token: string) => Promise<Actor | null> {
  const authenticate = createAuthenticator({ ...services, clock: machineClock(services.clock) }, columns)
  return async token => {
    const found = await authenticate(token)
    if (!found) return null
    const { subscriptions, merchantTrial, dataVersion, ...actor } = found
    const access = accessAt({ subscriptions, merchantTrial }, actor.accountId, services.clock.now())
    return { ...actor, ...access, dataVersion: dataVersion ?? 0 }
  }
}
