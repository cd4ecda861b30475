import { z } from 'zod'
import * as as from '../entities/conversions.ts'
import { schemaOf } from '../entities/wire-fields.ts'

const amountAt = (...wire: string[]) => ({ wire, from: as.bid.from })

// One entity in the model that all advertising products share; what its kind does not have is null.
const fields = {
  adProduct: { from: as.oneOf('OTHER', 'SPONSORED_PRODUCTS', 'SPONSORED_BRANDS', 'SPONSORED_DISPLAY') },
  campaignId: as.maybeId,
  adGroupId: as.maybeId,
  adId: as.maybeId,
  targetId: as.maybeId,
  name: as.maybeText,
  state: as.state,
  /** Empty while it serves. */
  deliveryReasons: { from: as.listOf(z.string()) },
  portfolioId: as.maybeId,
  startDate: as.maybeText,
  endDate: as.maybeText,
  budgetMicros: amountAt('budgetCaps.budgetValue.monetaryBudget.amount'),
  budgetPeriod: {
    wire: 'budgetCaps',
    from: z
      .object({ recurrenceTimePeriod: z.string().nullish() })
      .nullish()
      .transform(caps => (caps ? (caps.recurrenceTimePeriod === 'LIFETIME' ? 'LIFETIME' : 'DAILY') : null)),
  },
  targetingType: { wire: 'targetingSettings', ...as.maybeText },
  /** An ad group's default bid or a target's own. */
  bidMicros: amountAt('bid.defaultBid', 'bid.bid'),
  isNegative: { wire: 'negative', from: as.flag.transform(flag => flag ?? false) },
  targetType: as.maybeText,
  matchType: { wire: 'targetDetails.matchType', ...as.maybeText },
  /** A keyword's text or a target's ASIN, category or brand. */
  targetValue: {
    wire: ['keyword', 'asin', 'productCategoryId', 'productBrand'].map(name => `targetDetails.${name}`),
    ...as.maybeId,
  },
  /** Skus and ASINs that an ad shows. */
  products: {
    wire: 'creative.products',
    from: as.listOf(
      z
        .object({ productIdType: z.string(), productId: z.string() })
        .transform(({ productIdType: type, productId: id }) => ({ type, id })),
    ),
  },
} as const

export const exportedSchema = schemaOf({ fields })
export type ExportedRow = z.output<typeof exportedSchema>
