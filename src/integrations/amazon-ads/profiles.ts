import { z } from 'zod'
import { type Micros, toMicros } from '#shared/money.ts'
import type { RegionKey } from '#shared/marketplaces.ts'
import type { AdsCall } from './client.ts'

/** An advertising account: one seller or vendor in one country. */
export interface Profile {
  profileId: string
  region: RegionKey
  countryCode: string
  currency: string
  timezone: string
  /** Null where none is set. */
  dailyBudgetMicros: Micros | null
  marketplaceId: string
  accountId: string
  /** An AGENCY profile cannot be used to call anything. */
  accountType: 'SELLER' | 'VENDOR' | 'AGENCY'
  accountSubType: string | null
  accountName: string
  validPaymentMethod: boolean
}

export const profileWire = z.object({
  profileId: z.union([z.number(), z.string()]).transform(String),
  countryCode: z.string(),
  currencyCode: z.string(),
  timezone: z.string(),
  dailyBudget: z.number().nullish(),
  accountInfo: z.object({
    marketplaceStringId: z.string(),
    id: z.string(),
    type: z.string(),
    subType: z.string().nullish(),
    name: z.string().nullish(),
    validPaymentMethod: z.boolean().nullish(),
  }),
})

const accountTypes: Record<string, Profile['accountType']> = { seller: 'SELLER', vendor: 'VENDOR', agency: 'AGENCY' }

/** An account type that is none of the three is treated as an agency's: shown, never called. */
export function fromProfile(region: RegionKey, wire: z.output<typeof profileWire>): Profile {
  return {
    profileId: wire.profileId,
    region,
    countryCode: wire.countryCode,
    currency: wire.currencyCode,
    timezone: wire.timezone,
    // The marketplace says "no limit" by an amount no budget can have.
    dailyBudgetMicros: wire.dailyBudget && wire.dailyBudget < 1e9 ? toMicros(wire.dailyBudget) : null,
    marketplaceId: wire.accountInfo.marketplaceStringId,
    accountId: wire.accountInfo.id,
    accountType: accountTypes[wire.accountInfo.type.toLowerCase()] ?? 'AGENCY',
    accountSubType: wire.accountInfo.subType ?? null,
    accountName: wire.accountInfo.name ?? wire.accountInfo.id,
    validPaymentMethod: wire.accountInfo.validPaymentMethod ?? true,
  }
}

export async function listProfiles(call: AdsCall, region: RegionKey): Promise<Profile[]> {
  const rows = await call({
    operation: 'list profiles',
    method: 'GET',
    path: '/v2/profiles',
    effect: 'read',
    schema: z.array(profileWire),
  })
  return rows.map(row => fromProfile(region, row))
}
