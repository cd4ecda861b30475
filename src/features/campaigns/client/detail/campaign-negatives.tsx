import { useInfiniteQuery } from '@tanstack/react-query'
import { Card } from '#client/ui/lists/card.tsx'
import { Button } from '#client/ui/states/button.tsx'
import { QueryView } from '#client/ui/states/query-view.tsx'
import type { Shop } from '#features/accounts/client/public.ts'
import { NegativeRowItem } from '../list/negative-row.tsx'
import { campaignQueries } from '../queries.ts'

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
