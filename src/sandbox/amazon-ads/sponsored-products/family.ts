import type { AdsCaller } from '../ads-caller.ts'
import type { ProductFamily, Entity } from '../entities/entity-kind.ts'
import { inAdGroup } from '../entities/fields.ts'
import { type BatchFamily, type BatchKind, isoDates, versionThree } from '../entities/batch-kind.ts'
import { servingStatus } from '../entities/serving-status.ts'
import { textStyle } from '../entities/wire-styles.ts'
import type { MoneyRange } from '../limits/ad-limits.ts'

export const sponsoredProducts: ProductFamily = {
  style: textStyle(['ENABLED', 'PAUSED', 'PROPOSED']),
  campaigns: 'campaigns',
  adGroups: 'adGroups',
}

/** Reasons have names of their own among the details; two of them are not the status' name with an ending. */
const detailName = (reason: string): string =>
  ({ AD_INELIGIBLE: 'CP_INELIGIBLE', AD_OUT_OF_STOCK: 'OUT_OF_STOCK_DETAIL' })[reason] ?? `${reason}_DETAIL`

export const sponsoredProductsFamily: BatchFamily = {
  maxItems: 1000,
  // A larger page is clamped silently, as live callers have seen.
  maxPage: 500,
  ...versionThree,
  extendedData: (entity, { status, details }) => ({
    ...isoDates(entity),
    servingStatus: status,
    servingStatusDetails: details.map(reason => ({ name: detailName(reason) })),
  }),
}

type Names = Pick<
  BatchKind<Entity>,
  'product' | 'path' | 'mediaType' | 'key' | 'successId' | 'successObject' | 'deleteFilter'
>

/** What a resource of Sponsored Products calls its parts: most names follow from its own, in the singular. */
export function names(name: string, exceptions: Partial<Names> = {}): Names {
  const clause = exceptions.successObject ?? name
  return {
    product: sponsoredProducts,
    path: `/sp/${name}s`,
    mediaType: `application/vnd.sp${clause.charAt(0).toUpperCase()}${clause.slice(1).replace(/s$/, '')}.v3+json`,
    key: `${clause.replace(/s$/, '')}s`,
    successId: `${name}Id`,
    successObject: clause,
    deleteFilter: `${name}IdFilter`,
    ...exceptions,
  }
}

export const inNamedAdGroup = inAdGroup({ namesCampaign: true })

export function marketplaceBids({ caller }: { caller: AdsCaller }): MoneyRange {
  return {
    leastMicros: caller.marketplace.minBidMicros,
    mostMicros: caller.marketplace.maxBidMicros,
  }
}

/** The serving status of keywords, targets and negatives of both. */
export const clauseStatus = servingStatus<Entity>({
  product: sponsoredProducts,
  prefix: 'TARGETING_CLAUSE',
  live: 'TARGETING_CLAUSE_STATUS_LIVE',
  campaignFirst: true,
})
