import type { AdsCaller } from '../ads-caller.ts'
import { type BatchFamily, type BatchKind, versionThree } from '../entities/batch-kind.ts'
import { inAdGroup } from '../entities/fields.ts'
import { textStyle } from '../entities/wire-styles.ts'
import type { MoneyRange } from '#shared/ad-limits.ts'
import { vendorType } from '../media-types.ts'

/** Reasons have names of their own among the details; two of them are not the status' name with an ending. */
const detailName = (reason: string): string =>
  ({ AD_INELIGIBLE: 'CP_INELIGIBLE', AD_OUT_OF_STOCK: 'OUT_OF_STOCK_DETAIL' })[reason] ?? `${reason}_DETAIL`

const sponsoredProducts: BatchFamily = {
  style: textStyle(['ENABLED', 'PAUSED', 'PROPOSED']),
  campaigns: 'campaigns',
  adGroups: 'adGroups',
  maxItems: 1000,
  // A larger page is clamped silently, as live callers have seen.
  maxPage: 500,
  ...versionThree(reasons => ({ servingStatusDetails: reasons.map(reason => ({ name: detailName(reason) })) })),
}

type Names = Pick<BatchKind, 'product' | 'path' | 'mediaType' | 'key' | 'successId' | 'successObject' | 'idFilter'>

/** What a resource of Sponsored Products calls its parts: most names follow from its own, in the singular. */
export function names(name: string, exceptions: Partial<Names> = {}): Names {
  const clause = exceptions.successObject ?? name
  const singular = clause.replace(/s$/, '')
  return {
    product: sponsoredProducts,
    path: `/sp/${name}s`,
    mediaType: vendorType(`sp${singular.charAt(0).toUpperCase()}${singular.slice(1)}`, 'v3'),
    key: `${singular}s`,
    successId: `${name}Id`,
    successObject: clause,
    idFilter: `${name}IdFilter`,
    ...exceptions,
  }
}

export const inNamedAdGroup = inAdGroup({ namesCampaign: true })

export const marketplaceBids = ({ caller: { marketplace } }: { caller: AdsCaller }): MoneyRange => ({
  leastMicros: marketplace.minBidMicros,
  mostMicros: marketplace.maxBidMicros,
})
