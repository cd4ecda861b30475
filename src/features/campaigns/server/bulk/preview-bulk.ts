import { sql } from 'kysely'
import type { EndpointOutput, EndpointParsed } from '#shared/define-endpoint.ts'
import { type AdLimits, adLimits } from '#shared/ad-limits.ts'
import { AppError } from '#shared/errors.ts'
import type { Field } from '#shared/fields.ts'
import { marketplaceById } from '#shared/marketplaces.ts'
import { pageInfo } from '#shared/query-schemas.ts'
import { readAccount } from '#features/accounts/server/public.ts'
import { type Changes, type EditableEntity, entities } from '#features/structure/contract.ts'
import { previewEdits } from '#features/structure/server/public.ts'
import type { Ctx } from '#server/context.ts'
import { changedAmount } from '../../bulk-change.ts'
import type { BulkChange, bulkPreviewEndpoints, PreviewRow } from '../../bulk-contract.ts'
import { rangeOf } from '../list/list-figures.ts'
import { adGroupsListing, adsListing, campaignsListing, keywordsListing, targetsListing } from '../list/listings.ts'
import { filtersFor, type Listing, matchingIds } from '../sql/listing.ts'

type Preview = typeof bulkPreviewEndpoints.preview
type Request = EndpointParsed<Preview>['body']
type Value = string | number | null

const fieldOf = (change: BulkChange): string =>
  change.kind === 'STATE' ? 'state' : change.kind === 'PORTFOLIO' ? 'portfolioId' : change.field

/**
 * What a change would do to each chosen row, or to each that matches the list's filter, by id: before, after, and why it
 * cannot be made, by the rules of the edit itself. Changes nothing. Throws VALIDATION_FAILED when
 * rows of the kind do not have the field.
 */
export async function previewBulk(ctx: Ctx, request: Request): Promise<EndpointOutput<Preview>> {
  const { change, ids, filter, page, size } = request
  if (!ids && !filter) throw invalid('ids', 'Choose rows, or send the filter of a list')
  const field = fieldOf(change)
  const now = ctx.clock.now()
  const listing: Listing = listingOf(request, now)
  const { entity } = listing
  const fields: Record<string, Field> = entities[entity].fields
  if (!fields[field]?.edit) throw invalid('change', 'These rows do not have this setting')
  return readAccount(ctx, async (tx, profile) => {
    const market = marketplaceById(profile.marketplaceId)
    if (!market) throw new Error(`an account in an unknown marketplace: ${profile.marketplaceId}`)
    const { from, to } = rangeOf(ctx, profile, filter ?? {})
    const filters = ids
      ? [...filtersFor(profile, listing.filters), sql`t.id = any(${ids}::bigint[])`]
      : [sql`t.id in (${matchingIds(profile, listing, from, to)})`]
    const planned = new Map<number, Value>()
    const found = await previewEdits(tx, profile, entity, filters, { page, size, now }, row => {
      const { after, problem } = afterOf(
        change,
        valueOf(row, field),
        adLimits(market, { adType: String(valueOf(row, 'adType')) }),
      )
      if (problem !== null) return { problem }
      planned.set(row.id, after)
      // Which kinds of rows have the field was checked above.
      return { change: { [field]: after } as Changes[EditableEntity] }
    })
    const content = found.rows.map(({ row, problem }): PreviewRow => {
      const before = valueOf(row, field)
      const after = problem === null ? (planned.get(row.id) ?? null) : before
      const { id, version } = row
      return { id, version, name: nameOf(row), before, after, problem, currency: profile.currency }
    })
    return { field, content, page: pageInfo(page, size, found.total) }
  })
}

const invalid = (field: string, message: string): AppError =>
  new AppError('VALIDATION_FAILED', `${message}.`, { details: [message], extra: { fields: { [field]: message } } })

/** The list that the rows are in, narrowed to its filter; chosen rows may be anywhere in it. */
function listingOf(request: Request, now: Date): Listing {
  const all = { state: 'ALL' } as const
  const isChosen = request.ids !== undefined
  switch (request.entity) {
    case 'campaign':
      return campaignsListing((!isChosen && request.filter) || all, now)
    case 'adGroup':
      return adGroupsListing((!isChosen && request.filter) || all)
    case 'ad':
      return adsListing((!isChosen && request.filter) || all)
    case 'keyword':
      return keywordsListing((!isChosen && request.filter) || all)
    case 'target':
      return targetsListing((!isChosen && request.filter) || all)
  }
}

const valueOf = (row: object, field: string): Value => (row as Record<string, Value>)[field] ?? null

/** Keywords and targets are known by their text, ads by their product. */
const nameOf = (row: object): string =>
  ['name', 'text', 'asin', 'sku'].map(field => valueOf(row, field)).find(value => typeof value === 'string') as string

function afterOf(
  change: BulkChange,
  before: Value,
  taken: AdLimits,
): { after: Value; problem: null } | { after: null; problem: string } {
  if (change.kind !== 'AMOUNT') return { after: change.to, problem: null }
  const isBudget = change.field === 'budget'
  const limits = {
    currency: taken.currency,
    lowMicros: isBudget ? taken.minDailyBudgetMicros : taken.minBidMicros,
    highMicros: isBudget ? taken.maxDailyBudgetMicros : taken.maxBidMicros,
  }
  const subject = isBudget ? 'The daily budget' : 'The bid'
  const now = typeof before === 'number' ? before : null
  const { after, problem } = changedAmount(subject, now, change.amount, limits)
  return problem === null ? { after: after ?? before, problem } : { after: null, problem }
}
