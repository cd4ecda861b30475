import { type FigureSums, toFigures } from '#shared/metrics.ts'
import { pickFields, rowEntries } from '#shared/fields.ts'
import { pageInfo } from '#shared/query-schemas.ts'
import { addDays, dayIn } from '#shared/time.ts'
import { type Profile, readAccount } from '#features/accounts/server/public.ts'
import { freshnessOf, presentFreshness } from '#features/metrics/server/public.ts'
import { type EditableEntity, entities, type Rows } from '#features/structure/contract.ts'
import type { Ctx } from '#server/context.ts'
import type { Listing, PageOptions } from '../sql/listing.ts'
import { readPage } from '../sql/read-page.ts'

type ListRequest = Omit<PageOptions, 'from' | 'to'> & { dateFrom?: string | undefined; dateTo?: string | undefined }

/** The requested days; the last 30 of the account’s calendar when there are none. */
export function rangeOf(ctx: Ctx, profile: Profile, request: Pick<ListRequest, 'dateFrom' | 'dateTo'>) {
  const to = request.dateTo ?? dayIn(ctx.clock.now(), profile.timezone)
  return { from: request.dateFrom ?? addDays(to, -29), to }
}

/** A page of one kind of rows of the current account, in the envelope that all lists with figures share. */
export async function listFigures<E extends EditableEntity>(ctx: Ctx, request: ListRequest, listing: Listing<E>) {
  const { profile, range, found } = await readAccount(ctx, async (tx, account) => {
    const days = rangeOf(ctx, account, request)
    return { profile: account, range: days, found: await readPage(tx, account, listing, { ...request, ...days }) }
  })
  return {
    content: found.rows.map(row => presentRow(listing.entity, row, profile.currency)),
    page: pageInfo(request.page, request.size, found.total),
    currency: profile.currency,
    dateFrom: range.from,
    dateTo: range.to,
    totals: toFigures(found.totals),
    freshness: presentFreshness(freshnessOf(found.state, profile.accountType)),
  }
}

function presentRow<E extends EditableEntity>(entity: E, row: Rows[E] & FigureSums, currency: string) {
  // The select list names the same fields as the type.
  const fields = pickFields(row, Object.keys(rowEntries(entities[entity].fields))) as Rows[E]
  return { ...fields, currency, ...toFigures(row) }
}
