import { useInfiniteQuery } from '@tanstack/react-query'
import type { DateRange } from '#client/ui/forms/date-range.ts'
import { ListRow } from '#client/ui/lists/list-row.tsx'
import { EmptyState } from '#client/ui/states/state-views.tsx'
import type { Shop } from '#features/accounts/client/public.ts'
import { FiguresList } from '../figures/figures-list.tsx'
import { RowFigures } from '../figures/row-figures.tsx'
import { termQueries } from './queries.ts'

interface SearchTermListProps {
  shop: Shop
  range: DateRange
  adGroupId?: number
  campaignId?: number
}

/** The search terms of an ad group, a campaign or the whole account, those that cost most first. */
export function SearchTermList({ shop, range, adGroupId, campaignId }: SearchTermListProps) {
  const query = useInfiniteQuery(
    termQueries.terms(shop, {
      dateFrom: range.from,
      dateTo: range.to,
      ...(adGroupId !== undefined && { adGroupId }),
      ...(campaignId !== undefined && { campaignId }),
    }),
  )
  return (
    <FiguresList
      query={query}
      what="search terms"
      empty={<EmptyState title="No search terms yet" hint="They appear a day after shoppers first click these ads." />}
    >
      {row => (
        <ListRow
          title={row.term}
          detail={<div className="row-status">{row.adGroupName}</div>}
          figures={<RowFigures figures={row} currency={row.currency} />}
        />
      )}
    </FiguresList>
  )
}
