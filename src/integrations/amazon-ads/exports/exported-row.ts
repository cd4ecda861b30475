import { z } from 'zod'
import { type Micros, toMicros } from '#shared/money.ts'
import { stateOf } from '../arrays/wire-words.ts'
import type { AdProduct } from '../reports/kinds.ts'
import type { EntityState } from '../structure/entities.ts'

/** One entity in the model that all advertising products share; what its kind does not have is null. */
export interface ExportedRow {
  adProduct: AdProduct | 'OTHER'
  campaignId: string | null
  adGroupId: string | null
  adId: string | null
  targetId: string | null
  name: string | null
  state: EntityState
  /** Empty while it serves. */
  deliveryReasons: string[]
  portfolioId: string | null
  startDate: string | null
  endDate: string | null
  budgetMicros: Micros | null
  budgetPeriod: 'DAILY' | 'LIFETIME' | null
  targetingType: string | null
  /** An ad group's default bid or a target's own. */
  bidMicros: Micros | null
  /** Of targets. */
  isNegative: boolean
  targetType: string | null
  matchType: string | null
  /** A keyword's text or a target's ASIN, category or brand. */
  targetValue: string | null
  /** Skus and ASINs that an ad shows. */
  products: { type: string; id: string }[]
}

const id = z.union([z.string(), z.number()]).transform(String).nullish()
const text = z.union([z.string(), z.number()]).transform(String).nullish()

export const exportedWire = z.object({
  adProduct: z.string(),
  campaignId: id,
  adGroupId: id,
  adId: id,
  targetId: id,
  name: z.string().nullish(),
  state: z.string(),
  deliveryReasons: z.array(z.string()).nullish(),
  portfolioId: id,
  startDate: z.string().nullish(),
  endDate: z.string().nullish(),
  budgetCaps: z
    .object({
      recurrenceTimePeriod: z.string().nullish(),
      budgetValue: z.object({ monetaryBudget: z.object({ amount: z.number() }).nullish() }).nullish(),
    })
    .nullish(),
  targetingSettings: z.string().nullish(),
  bid: z.object({ defaultBid: z.number().nullish(), bid: z.number().nullish() }).nullish(),
  negative: z.boolean().nullish(),
  targetType: z.string().nullish(),
  targetDetails: z
    .object({ matchType: z.string().nullish(), keyword: text, asin: text, productCategoryId: text, productBrand: text })
    .nullish(),
  creative: z
    .object({ products: z.array(z.object({ productIdType: z.string(), productId: z.string() })).nullish() })
    .nullish(),
})

const products: Record<string, AdProduct> = {
  SPONSORED_PRODUCTS: 'SPONSORED_PRODUCTS',
  SPONSORED_BRANDS: 'SPONSORED_BRANDS',
  SPONSORED_DISPLAY: 'SPONSORED_DISPLAY',
}

const amountOf = (amount: number | null | undefined): number | null =>
  amount === null || amount === undefined ? null : toMicros(amount)

const periodOf = (caps: z.output<typeof exportedWire>['budgetCaps']): ExportedRow['budgetPeriod'] =>
  !caps ? null : caps.recurrenceTimePeriod === 'LIFETIME' ? 'LIFETIME' : 'DAILY'

function targetOf({ targetDetails, targetType, negative }: z.output<typeof exportedWire>) {
  return {
    isNegative: negative ?? false,
    targetType: targetType ?? null,
    matchType: targetDetails?.matchType ?? null,
    targetValue:
      targetDetails?.keyword ??
      targetDetails?.asin ??
      targetDetails?.productCategoryId ??
      targetDetails?.productBrand ??
      null,
  }
}

export function fromExported(wire: z.output<typeof exportedWire>): ExportedRow {
  return {
    adProduct: products[wire.adProduct] ?? 'OTHER',
    campaignId: wire.campaignId ?? null,
    adGroupId: wire.adGroupId ?? null,
    adId: wire.adId ?? null,
    targetId: wire.targetId ?? null,
    name: wire.name ?? null,
    state: stateOf(wire.state),
    deliveryReasons: wire.deliveryReasons ?? [],
    portfolioId: wire.portfolioId ?? null,
    startDate: wire.startDate ?? null,
    endDate: wire.endDate ?? null,
    budgetMicros: amountOf(wire.budgetCaps?.budgetValue?.monetaryBudget?.amount),
    budgetPeriod: periodOf(wire.budgetCaps),
    targetingType: wire.targetingSettings ?? null,
    bidMicros: amountOf(wire.bid?.defaultBid ?? wire.bid?.bid),
    ...targetOf(wire),
    products: (wire.creative?.products ?? []).map(p => ({ type: p.productIdType, id: p.productId })),
  }
}
