import { sql } from 'kysely'
import { currentMerchant, roleIn, type TenancyColumns, tenancyColumns } from '#features/accounts/server/public.ts'
import { createAuthenticator, readSession } from '#features/auth/server/public.ts'
import { type AccessColumns, accessAt, accessColumns, toAccessTerms } from '#features/subscription/server/public.ts'
import type { Actor, Services } from '#server/context.ts'
import { machineClock } from '#server/clock/follow-clock.ts'
import { versionOf } from '#server/db/tenant-version.ts'

interface OwnColumns {
  dataVersion: number | null
  locale: string
  timezone: string
}

const columns = sql<TenancyColumns & AccessColumns & OwnColumns>`
  a.locale, a.timezone, ${tenancyColumns}, ${accessColumns(sql`a.id`, currentMerchant)}, ${versionOf(currentMerchant)} as "dataVersion"`

/** The actor of a bearer token, with merchants, access and data version; null if the token is invalid. */
export function createAuthenticate(services: Services): (token: string) => Promise<Actor | null> {
  const authenticate = createAuthenticator(
    { ...services, clock: machineClock(services.clock) },
    {
      columns,
      toMore: ({ subscriptions, merchantTrial, dataVersion, locale, timezone, ...tenancy }) => ({
        ...tenancy,
        region: { locale, timeZone: timezone },
        dataVersion: dataVersion ?? 0,
        accessTerms: toAccessTerms({ subscriptions, merchantTrial }),
      }),
      // Access through other members of the merchant, its trial, and the version of its rows.
      keysOf: ({ merchantId }) => (merchantId === null ? [] : [`merchant ${merchantId}`]),
    },
  )
  return async token => {
    const session = await authenticate(token)
    if (!session) return null
    const { accessTerms, ...actor } = session
    // Trials and periods end at a moment, without a change of any row.
    return { ...actor, ...accessAt(accessTerms, actor.accountId, services.clock.now()) }
  }
}

/** The actor of a session, working with this merchant and marketplace; null once the session has ended. */
export async function actorOfSession(
  { db, clock }: Services,
  sessionId: string,
  shop: { merchantId: number; marketplaceId: number },
): Promise<Actor | null> {
  const { merchantId } = shop
  const columns = sql<
    Pick<TenancyColumns, 'merchantIds' | 'merchantRole'> & AccessColumns & Omit<OwnColumns, 'dataVersion'>
  >`a.locale, a.timezone, ${tenancyColumns}, ${roleIn(sql`${merchantId}::bigint`)} as "merchantRole",
    ${accessColumns(sql`a.id`, sql`${merchantId}::bigint`)}`
  const session = await readSession(db.system, sessionId, machineClock(clock).now(), columns)
  if (!session) return null
  const { subscriptions, merchantTrial, locale, timezone, ...actor } = session
  const access = accessAt(toAccessTerms({ subscriptions, merchantTrial }), actor.accountId, clock.now())
  return { ...actor, region: { locale, timeZone: timezone }, ...shop, ...access }
}
