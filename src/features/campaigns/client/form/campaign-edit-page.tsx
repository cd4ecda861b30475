import '../campaigns.css'
import { onlineManager, useQuery, useQueryClient } from '@tanstack/react-query'
import { getRouteApi } from '@tanstack/react-router'
import { OfflineAge } from '#client/ui/figures/data-age.tsx'
import { Page } from '#client/ui/ionic/page.tsx'
import { QueryView } from '#client/ui/states/query-view.tsx'
import { EmptyState } from '#client/ui/states/state-views.tsx'
import { useMayChange, useShop } from '#features/accounts/client/public.ts'
import { OfflineNote } from '../edit/editable-row.tsx'
import { campaignQueries, listedCampaign } from '../queries.ts'
import { CampaignForm } from './campaign-form.tsx'

const route = getRouteApi('/dashboard/campaign-edit/$amazonId')

/** Name, budget, state and bidding of one campaign. */
export function CampaignEditPage() {
  const { amazonId } = route.useParams()
  const shop = useShop()
  const mayChange = useMayChange()
  const client = useQueryClient()
  const query = useQuery({
    ...campaignQueries.one(shop, amazonId),
    placeholderData: () =>
      onlineManager.isOnline() ? undefined : listedCampaign(client, shop, row => row.amazonId === amazonId)?.content[0],
  })
  return (
    <Page
      title="Edit campaign"
      back="/campaigns"
      status={query.dataUpdatedAt > 0 && <OfflineAge updatedAt={[query.dataUpdatedAt]} />}
    >
      <OfflineNote />
      <QueryView
        query={query}
        loading={{ rows: 4, label: 'Loading the campaign' }}
        failedTitle="Failed to fetch campaign"
        notFound={<EmptyState title="There is no such campaign" hint="It may belong to another marketplace." />}
        empty={({ state, name }) =>
          (state === 'ARCHIVED' && <EmptyState title={name} hint="An archived campaign cannot be changed." />) ||
          (!mayChange && <EmptyState title={name} hint="You may look at this merchant, but not change it." />)
        }
      >
        {/* A newer row from elsewhere does not disturb what is being typed: the server compares versions. */}
        {campaign => <CampaignForm key={campaign.id} campaign={campaign} shop={shop} />}
      </QueryView>
    </Page>
  )
}
