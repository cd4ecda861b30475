import { z } from 'zod'
import type { RegionKey } from '#shared/marketplaces.ts'
import { toMicros } from '#shared/money.ts'
import type { AdsCall } from './client.ts'
import { id, maybeText, orNull, text, schemaOf } from './entities/wire-fields.ts'

const accountTypes = { seller: 'SELLER', vendor: 'VENDOR', agency: 'AGENCY' } as const
const isAccountType = (type: string): type is keyof typeof accountTypes => type in accountTypes

const profile = schemaOf({
  fields: {
    profileId: id,
    countryCode: text,
    currency: { wire: 'currencyCode', ...text },
    timezone: text,
    /** Null where none is set: the marketplace says "no limit" by an amount that no budget can have. */
    dailyBudgetMicros: {
      wire: 'dailyBudget',
      from: orNull(z.number()).transform(amount => (amount && amount < 1e9 ? toMicros(amount) : null)),
    },
    marketplaceId: { wire: 'accountInfo.marketplaceStringId', ...text },
    accountId: { wire: 'accountInfo.id', ...text },
    /** An AGENCY profile cannot be used to call anything. A type that is none of the three is treated like it: shown, never called. */
    accountType: {
      wire: 'accountInfo.type',
      from: z
        .string()
        .transform(type => type.toLowerCase())
        .transform(type => (isAccountType(type) ? accountTypes[type] : 'AGENCY')),
    },
    accountSubType: { wire: 'accountInfo.subType', ...maybeText },
    accountName: { wire: ['accountInfo.name', 'accountInfo.id'], ...text },
    validPaymentMethod: {
      wire: 'accountInfo.validPaymentMethod',
      from: z
        .boolean()
        .nullish()
        .transform(valid => valid ?? true),
    },
  },
})
/** An advertising account: one seller or vendor in one country. */
export type Profile = z.output<typeof profile> & { region: RegionKey }

export async function listProfiles(call: AdsCall, region: RegionKey): Promise<Profile[]> {
  const rows = await call({
    operation: 'list profiles',
    method: 'GET',
    path: '/v2/profiles',
    effect: 'read',
    schema: z.array(profile),
  })
  return rows.map(row => ({ ...row, region }))
}
