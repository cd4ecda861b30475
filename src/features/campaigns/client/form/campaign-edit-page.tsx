import { useQuery } from '@tanstack/react-query'
import { getRouteApi } from '@tanstack/react-router'
import { useOnline } from '#client/api/online.ts'
import { Page } from '#client/ui/ionic/page.tsx'
import { Skeleton } from '#client/ui/states/skeleton.tsx'
import { EmptyState, FailedState, OfflineState } from '#client/ui/states/state-views.tsx'
import { isNotFound } from '#client/api/api-error.ts'
import { type Shop, useShop } from '#features/accounts/client/public.ts'
import type { Campaign } from '../../contract.ts'
import { CampaignForm } from './campaign-form.tsx'
import { useWithWaiting } from '../edit/with-waiting.ts'
import { OfflineNote } from '../offline-note.tsx'
import { campaignQueries } from '../queries.ts'
import '../campaigns.css'

const WaitingCampaignForm = ({ campaign, shop }: { campaign: Campaign; shop: Shop }) => {
  const { shown } = useWithWaiting('campaign', campaign)
  return <CampaignForm campaign={shown} shop={shop} />
}

const route = getRouteApi('/dashboard/campaign-edit/$amazonId')

/** Name, budget, state and bidding of one campaign. */
export const CampaignEditPage = () => {
  const { amazonId } = route.useParams()
  const shop = useShop()
  const online = useOnline()
  const { data, error, refetch } = useQuery(campaignQueries.one(shop, amazonId))
  return (
    <Page title="Edit campaign" back="/campaigns">
      <OfflineNote />
      {data ? (
        data.state === 'ARCHIVED' ? (
          <EmptyState title={data.name} hint="An archived campaign cannot be changed." />
        ) : (
          // A newer row from elsewhere does not disturb what is being typed: the version tells when it is sent.
          <WaitingCampaignForm key={data.id} campaign={data} shop={shop} />
        )
      ) : isNotFound(error) ? (
        <EmptyState title="There is no such campaign" hint="It may belong to another marketplace." />
      ) : error && online ? (
        <FailedState error={error} title="Failed to fetch campaign" onRetry={() => void refetch()} />
      ) : online ? (
        <Skeleton rows={4} label="Loading the campaign" />
      ) : (
        <OfflineState />
      )}
    </Page>
  )
}
