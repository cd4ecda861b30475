import { useInfiniteQuery } from '@tanstack/react-query'
import { Card } from '#client/ui/lists/card.tsx'
import { ListRow } from '#client/ui/lists/list-row.tsx'
import { Button } from '#client/ui/states/button.tsx'
import { Skeleton } from '#client/ui/states/skeleton.tsx'
import { FailedState } from '#client/ui/states/state-views.tsx'
import { useOnline } from '#client/api/online.ts'
import type { Shop } from '#features/accounts/client/public.ts'
import { matchWords } from '../ad-groups/target-words.ts'
import { RowStatus } from '../list/row-status.tsx'
import { campaignQueries } from '../queries.ts'

/** The negatives that hold for a whole campaign; those of an ad group are on its own page. */
export const CampaignNegatives = ({ campaignId, shop }: { campaignId: number; shop: Shop }) => {
  const online = useOnline()
  const query = useInfiniteQuery(
    campaignQueries.negatives(shop, { campaignId, level: 'CAMPAIGN', sortBy: 'text', sortDir: 'asc' }),
  )
  const rows = query.data?.pages.flatMap(page => page.content)
  return (
    <Card title="Negatives of the campaign">
      {rows ? (
        rows.map(row => (
          <ListRow
            key={row.id}
            title={row.text}
            detail={
              <div className="row-status">
                <RowStatus {...row} />
                <span>{row.kind === 'PRODUCT' ? 'Product' : matchWords(row.matchType)}</span>
              </div>
            }
          />
        ))
      ) : query.error ? (
        <FailedState error={query.error} onRetry={() => void query.refetch()} />
      ) : online ? (
        <Skeleton rows={2} label="Loading the negatives" />
      ) : (
        <p>The negatives were not saved on this device. They load once you are online.</p>
      )}
      {rows?.length === 0 && <p>No negatives hold for the whole campaign.</p>}
      {query.hasNextPage && (
        <Button busy={query.isFetchingNextPage} onClick={() => void query.fetchNextPage()}>
          Show more negatives
        </Button>
      )}
    </Card>
  )
}
