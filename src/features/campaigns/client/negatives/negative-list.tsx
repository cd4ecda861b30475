import { useInfiniteQuery } from '@tanstack/react-query'
import { EmptyState } from '#client/ui/states/state-views.tsx'
import type { Shop } from '#features/accounts/client/public.ts'
import { FiguresList } from '../figures/figures-list.tsx'
import { NegativeRowItem } from '../list/row-status.tsx'
import { campaignQueries } from '../queries.ts'

interface NegativeListProps {
  shop: Shop
  campaignId?: number
  adGroupId?: number
}

/** The negatives of an ad group, or of a campaign with all its ad groups. */
export function NegativeList({ shop, campaignId, adGroupId }: NegativeListProps) {
  const query = useInfiniteQuery(
    campaignQueries.negatives(shop, {
      ...(campaignId !== undefined && { campaignId }),
      ...(adGroupId !== undefined && { adGroupId }),
    }),
  )
  return (
    <FiguresList
      query={query}
      what="negatives"
      empty={<EmptyState title="No negatives yet" hint="Negatives keep ads away from searches that never sell." />}
    >
      {row => <NegativeRowItem row={row} />}
    </FiguresList>
  )
}
