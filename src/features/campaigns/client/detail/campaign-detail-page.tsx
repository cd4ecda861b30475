import { useQuery } from '@tanstack/react-query'
import { DataAge, MovingNote } from '#client/ui/figures/data-age.tsx'
import type { DateRange } from '#client/ui/forms/date-range.ts'
import { Page } from '#client/ui/ionic/page.tsx'
import type { Shop } from '#features/accounts/client/public.ts'
import { CampaignDetail } from './campaign-detail.tsx'
import { OfflineNote } from '../offline-note.tsx'
import { campaignQueries } from '../queries.ts'

interface CampaignDetailPageProps {
  id: number
  shop: Shop
  range: DateRange
  refresh: () => Promise<unknown>
}

/** A campaign on a phone, where it has the screen to itself. */
export function CampaignDetailPage({ id, shop, range, refresh }: CampaignDetailPageProps) {
  const { data } = useQuery(campaignQueries.row(shop, id, range))
  return (
    <Page
      title={data?.content[0]?.name ?? 'Campaign'}
      back="/campaigns"
      onRefresh={refresh}
      status={
        <>
          <DataAge at={data?.freshness.asOf ?? null} />
          <MovingNote movingFrom={data?.freshness.movingFrom ?? null} to={range.to} />
        </>
      }
    >
      <OfflineNote />
      <CampaignDetail id={id} shop={shop} range={range} untitled />
    </Page>
  )
}
