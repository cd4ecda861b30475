import { sql } from 'kysely'
import type { AdsConnected } from '#features/accounts/connect-contract.ts'
import { beginConsent, completeAdsConsent, completeSellerConsent } from '#features/accounts/server/consent/consent.ts'
import { connectProfiles } from '#features/accounts/server/current-choice.ts'
import { type Profile, profilesOf } from '#features/accounts/server/public.ts'
import type { Ctx, Services } from '#server/context.ts'
import { answerConsent } from './outside.ts'
import { addAccount, callerOf } from './people.ts'

export interface ConnectedSeller {
  /** The owner, with the merchant as the current one. */
  ctx: Ctx
  accountId: number
  merchantId: number
  profiles: Profile[]
}

const back = (url: URL) => (name: string) => url.searchParams.get(name) ?? undefined

/** Gives the consent to the advertising accounts of a log-in, on the outside's page as a person would. */
export async function connectAds(ctx: Ctx, login: string, regionId = 1): Promise<AdsConnected> {
  const { url } = await beginConsent(ctx, 'AMAZON_ADS', { regionId })
  const from = back(await answerConsent(url, { login }))
  return completeAdsConsent(ctx, { state: from('state') ?? '', code: from('code') })
}

/**
 * An account (its own unless given) that has given both consents of a seller on the outside's pages and has its advertising accounts
 * (all, or those of `countries`) under management, as a person would make it, with a trial that runs.
 */
export async function connectSeller(
  services: Services,
  seller: { login: string; sellerId: string; regionId?: number; countries?: readonly string[]; accountId?: number },
): Promise<ConnectedSeller> {
  const { login, sellerId, regionId = 1, countries } = seller
  const accountId = seller.accountId ?? (await addAccount(services))
  const asSeller = await callerOf(services, accountId)
  const sellerUrl = await beginConsent(asSeller, 'SELLING_PARTNER', { regionId })
  const fromSeller = back(await answerConsent(sellerUrl.url, { account: `${login}|${sellerId}` }))
  const { merchant } = await completeSellerConsent(asSeller, {
    state: fromSeller('state') ?? '',
    spapi_oauth_code: fromSeller('spapi_oauth_code'),
    selling_partner_id: fromSeller('selling_partner_id'),
  })
  const asAdvertiser = await callerOf(services, accountId)
  const granted = await connectAds(asAdvertiser, login, regionId)
  const matching = granted.profiles.filter(
    p => p.merchantId === merchant.id && (!countries || countries.includes(p.countryCode)),
  )
  await connectProfiles(asAdvertiser, {
    merchantId: merchant.id,
    amazonProfileIds: matching.map(p => String(p.amazonProfileId)),
  })
  await giveTrial(services, accountId)
  const ctx = await callerOf(services, accountId)
  const profiles = await services.db.tenant(merchant.id, tx => profilesOf(tx, merchant.id))
  return { ctx, accountId, merchantId: merchant.id, profiles }
}

async function giveTrial({ db }: Services, accountId: number): Promise<void> {
  await sql`insert into subscription (account_id, plan_id, status, trial_started_at, trial_ends_at)
    select ${accountId}, min(id), 'trialing', now(), now() + interval '14 days' from plan on conflict do nothing`.execute(
    db.system,
  )
  await db.system.updateTable('account').set({ has_used_trial: true }).where('id', '=', accountId).execute()
}
