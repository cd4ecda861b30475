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

type Asked = Omit<PageOptions, 'from' | 'to'> & { dateFrom?: string | undefined; dateTo?: string | undefined }

/** The days that are asked for; the last 30 of the account's own calendar where none are. */
export const rangeOf = (ctx: Ctx, profile: Profile, asked: Pick<Asked, 'dateFrom' | 'dateTo'>) => {
  const to = asked.dateTo ?? dayIn(ctx.clock.now(), profile.timezone)
  return { from: asked.dateFrom ?? addDays(to, -29), to }
}

/** A page of one kind of rows of the current account, in the envelope that all lists with figures share. */
export const listFigures = async <E extends EditableEntity>(ctx: Ctx, asked: Asked, listing: Listing<E>) => {
  const { profile, range, found } = await readAccount(ctx, async (tx, own) => {
    const days = rangeOf(ctx, own, asked)
    return { profile: own, range: days, found: await readPage(tx, own, listing, { ...asked, ...days }) }
  })
  return {
    content: found.rows.map(row => presentRow(listing.entity, row, profile.currency)),
    page: pageInfo(asked.page, asked.size, found.total),
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
