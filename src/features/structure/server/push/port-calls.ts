import { AppError } from '#shared/errors.ts'
import { UpstreamForbidden, UpstreamUnauthorized } from '#server/http-client/upstream-errors.ts'
import { isDeepStrictEqual } from 'node:util'
import { changeRejectionMessage, creationRejectionMessage } from '#shared/marketplace-rejections.ts'
import type { EntityState, ItemOutcome, Predicate, ProfileAds } from '#integrations/amazon-ads/index.ts'
import type { EntityName } from '../../contract.ts'
import { type PendingRow, pushedColumns, pushedFields } from '../sql/pending-rows.ts'

// Which list of the marketplace takes a row, how a row is written there, and what the answers mean.

export type Operation = 'create' | 'update' | 'archive'

/** A clause as the lists of the marketplace have it. */
export interface ListedClause {
  campaignId?: string
  adGroupId?: string | null
  text?: string
  matchType?: string
  expression?: Predicate[]
}
type Outcomes = Promise<ItemOutcome<unknown>[]>
/** What the lists of all ad types have in common. The older ones archive by a change of the state. */
export interface PortList {
  batchSize: number
  create?: (items: object[]) => Outcomes
  update: (changes: object[]) => Outcomes
  archive?: (ids: string[]) => Outcomes
  pages: (filter: { campaignIds: string[]; states: EntityState[] }) => AsyncIterable<ListedClause[]>
}

/** The account's lists of an ad type by name. */
export function listsOf(ads: ProfileAds, adType: string): Record<string, PortList | undefined> {
  const byType: Record<string, object> = { SPONSORED_BRANDS: ads.brands, SPONSORED_DISPLAY: ads.display }
  // The names and values are the port's own: the import read them from there.
  return (byType[adType] ?? ads) as Record<string, PortList | undefined>
}

/** The name of the list that a row belongs to. */
export function listName(entity: EntityName, adType: string, row: PendingRow): string {
  const clauses = row.kind === 'KEYWORD' ? 'Keywords' : 'Targets'
  const isOnCampaign = adType === 'SPONSORED_PRODUCTS' && row.adGroupAmazonId === null
  return {
    campaign: 'campaigns',
    adGroup: 'adGroups',
    ad: adType === 'SPONSORED_PRODUCTS' ? 'productAds' : 'ads',
    target: clauses.toLowerCase(),
    negative: isOnCampaign ? `campaignNegative${clauses}` : `negative${clauses}`,
  }[entity]
}

/** What the port calls the id of a row. */
export function idName(entity: EntityName, { kind }: PendingRow): string {
  const clause = kind === 'KEYWORD' ? 'keywordId' : 'targetId'
  return { campaign: 'campaignId', adGroup: 'adGroupId', ad: 'adId', target: clause, negative: clause }[entity]
}

/** The columns that differ from the base, and those that may not have been accepted. */
export function columnsToSend(
  entity: EntityName,
  { requested, base }: Pick<PendingRow, 'requested' | 'base'>,
): string[] {
  return pushedColumns(entity).filter(
    column => !isDeepStrictEqual(requested[column], base[column]) || base.sent?.includes(column),
  )
}

/** The columns under the port's names. A part of a value is sent with the whole: the marketplace may not keep the rest. */
function portValues(entity: EntityName, row: PendingRow): Record<string, unknown> {
  const columns = columnsToSend(entity, row)
  const changed = pushedFields(entity).filter(([, { column }]) => columns.includes(column))
  return Object.fromEntries(
    changed.map(([, { column, port, part }]) => {
      const [name = port] = port.split('.')
      return [name, row.requested[part?.column ?? column]]
    }),
  )
}

function newItem(adType: string, row: PendingRow): object {
  const { campaignAmazonId: campaignId, adGroupAmazonId: adGroupId, text, matchType, expression, requested } = row
  return {
    campaignId,
    ...(adGroupId !== null && { adGroupId }),
    ...(row.kind === 'KEYWORD' ? { text, matchType } : { expression }),
    // What is new in the older calls is enabled.
    ...(adType === 'SPONSORED_PRODUCTS' && { state: requested.state }),
    ...(typeof requested.bid_micros === 'number' && { bidMicros: requested.bid_micros }),
  }
}

/** Sends rows of one list in one call; outcomes in their order. */
export function sendRows(
  list: PortList,
  operation: Operation,
  { entity, adType }: { entity: EntityName; adType: string },
  rows: readonly PendingRow[],
): Outcomes {
  if (operation === 'create') {
    if (!list.create) throw new Error(`no ${entity} of ${adType} can be made here`)
    return list.create(rows.map(row => newItem(adType, row)))
  }
  if (operation === 'archive' && list.archive) return list.archive(rows.map(row => row.amazonId))
  const isBrandClause = adType === 'SPONSORED_BRANDS' && (entity === 'target' || entity === 'negative')
  return list.update(
    rows.map(row => ({
      [idName(entity, row)]: row.amazonId,
      ...(isBrandClause && { campaignId: row.campaignAmazonId, adGroupId: row.adGroupAmazonId }),
      // Archiving leaves nothing else to change.
      ...(operation === 'archive' ? { state: 'ARCHIVED' } : portValues(entity, row)),
    })),
  )
}

/** What became of a row: `rejection` is null unless the marketplace said no, and then a sentence. */
export interface Verdict {
  isUnclear: boolean
  rejection: string | null
  reason: string
  amazonId: string | null
}

/** What an outcome means for the row. Unclear: it may yet succeed, or may have happened unseen. */
export function judge(outcome: ItemOutcome<unknown> | undefined, operation: Operation): Verdict {
  const verdict = { isUnclear: false, rejection: null, reason: '', amazonId: null }
  if (!outcome) return { ...verdict, isUnclear: true, reason: 'OUTCOME_UNKNOWN' }
  if (outcome.ok) return { ...verdict, amazonId: outcome.id || null, isUnclear: operation === 'create' && !outcome.id }
  const { reason, message } = outcome
  if (outcome.retryable || reason === 'OUTCOME_UNKNOWN' || reason === 'NOT_SENT')
    return { ...verdict, isUnclear: true, reason }
  // Archived already, perhaps by a call with a lost answer: that is what the user wants.
  if (operation === 'archive' && reason === 'ARCHIVED_ENTITY_CANNOT_BE_MODIFIED') return verdict
  const explain = operation === 'create' ? creationRejectionMessage : changeRejectionMessage
  return { ...verdict, rejection: explain(reason, message), reason }
}

/** The marketplace lets nothing of this account in; trying again would not help. */
export class AccountRejected extends Error {}

const notLetIn = 'The marketplace no longer accepts our permission. Please connect the account again.'

/** What a call of the account answers. Throws AccountRejected where the marketplace does not let the account in. */
export async function letIn<T>(call: Promise<T>): Promise<T> {
  return call.catch((error: unknown) => {
    if (error instanceof AppError) throw new AccountRejected(error.message)
    if (error instanceof UpstreamUnauthorized || error instanceof UpstreamForbidden) throw new AccountRejected(notLetIn)
    throw error
  })
}
