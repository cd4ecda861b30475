import { useInfiniteQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import type { DateRange } from '#client/ui/forms/date-range.ts'
import { Card } from '#client/ui/lists/card.tsx'
import { QueryView } from '#client/ui/states/query-view.tsx'
import type { Shop } from '#features/accounts/client/public.ts'
import { campaignQueries } from '../queries.ts'
import { RowFigures } from '../figures/row-figures.tsx'
import { Button } from '#client/ui/states/button.tsx'
import { NegativeRowItem } from '../list/row-status.tsx'

/** The negatives that hold for a whole campaign; those of an ad group are on its own page. */
export function CampaignNegatives({ campaignId, shop }: { campaignId: number; shop: Shop }) {
  const query = useInfiniteQuery(
    campaignQueries.negatives(shop, { campaignId, level: 'CAMPAIGN', sortBy: 'text', sortDir: 'asc' }),
  )
  return (
    <Card title="Negatives of the campaign">
      <QueryView
        query={query}
        loading={{ rows: 2, label: 'Loading the negatives' }}
        offline={<p>The negatives were not saved on this device. They load once you are online.</p>}
        empty={({ pages }) => !pages[0]?.content.length && <p>No negatives hold for the whole campaign.</p>}
      >
        {({ pages }) => pages.flatMap(page => page.content).map(row => <NegativeRowItem key={row.id} row={row} />)}
      </QueryView>
      {query.hasNextPage && (
        <Button busy={query.isFetchingNextPage} onClick={() => void query.fetchNextPage()}>
          Show more negatives
        </Button>
      )}
    </Card>
  )
}

const shown = 5
const allAddress: string = '/adgroups'
const oneAddress: string = '/adgroup-details'

interface CampaignAdGroupsProps {
  campaignId: number
  shop: Shop
  range: DateRange
}

/** The ad groups of a campaign that cost most, and the way to all of them. */
export function CampaignAdGroups({ campaignId, shop, range }: CampaignAdGroupsProps) {
  const query = useInfiniteQuery(
    campaignQueries.adGroups(shop, { campaignId, dateFrom: range.from, dateTo: range.to, sortBy: 'cost' }),
  )
  const total = query.data?.pages[0]?.page.totalElements ?? 0
  return (
    <Card title="Ad groups">
      <QueryView
        query={query}
        loading={{ rows: 2, label: 'Loading the ad groups' }}
        offline={<p>The ad groups were not saved on this device. They load once you are online.</p>}
        empty={() => total === 0 && <p>This campaign has no ad groups.</p>}
      >
        {({ pages }) => (
          <ul className="ad-groups">
            {pages[0]?.content.slice(0, shown).map(row => (
              <li key={row.id}>
                <Link to={oneAddress} search={{ adGroupId: row.id, ...range }} className="list-row-link">
                  {row.name}
                </Link>
                <div className="list-row-figures">
                  <RowFigures figures={row} currency={row.currency} />
                </div>
              </li>
            ))}
          </ul>
        )}
      </QueryView>
      {total > shown && (
        <Link to={allAddress} search={{ campaignId, ...range }} className="button button-quiet">
          All {total} ad groups
        </Link>
      )}
    </Card>
  )
}
