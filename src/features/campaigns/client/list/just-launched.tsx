import { useInfiniteQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { rocketOutline } from 'ionicons/icons'
import { formatNumber } from '#client/ui/figures/format.ts'
import type { DateRange } from '#client/ui/forms/date-range.ts'
import { Icon } from '#client/ui/ionic/icon.tsx'
import type { Shop } from '#features/accounts/client/public.ts'
import { campaignQueries } from '../queries.ts'
import type { ListSearch } from './list-search.ts'
import { RowStatus } from './row-status.tsx'

const shown = 3

export const justLaunchedQuery = (shop: Shop, { from, to }: DateRange) =>
  campaignQueries.campaigns(shop, { dateFrom: from, dateTo: to, launched: true, sortBy: 'id', sortDir: 'desc' })

/** The campaigns of the last days' launches, above the list: they have no spend yet and would come last in it. */
export function JustLaunched({ shop, range, search }: { shop: Shop; range: DateRange; search: ListSearch }) {
  const { data } = useInfiniteQuery(justLaunchedQuery(shop, range))
  const first = data?.pages[0]
  if (!first?.content.length) return null
  const total = first.page.totalElements
  return (
    <section className="just-launched card" aria-labelledby="just-launched">
      <h2 id="just-launched">
        <Icon icon={rocketOutline} /> Just launched
      </h2>
      <ul>
        {first.content.slice(0, shown).map(row => (
          <li key={row.id}>
            <Link to="/campaigns" search={{ ...search, campaign: row.id }}>
              {row.name}
            </Link>
            <span className="row-status">
              <RowStatus {...row} />
            </span>
          </li>
        ))}
      </ul>
      {total > shown && (
        <Link to="/campaigns" search={{ ...search, launched: true }}>
          {`Show all ${formatNumber(total)}`}
        </Link>
      )}
    </section>
  )
}
