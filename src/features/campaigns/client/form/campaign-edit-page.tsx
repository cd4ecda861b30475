import '../campaigns.css'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { getRouteApi } from '@tanstack/react-router'
import { useState } from 'react'
import { useOnline } from '#client/api/online.ts'
import { OfflineAge } from '#client/ui/figures/data-age.tsx'
import { Page } from '#client/ui/ionic/page.tsx'
import { QueryView } from '#client/ui/states/query-view.tsx'
import { EmptyState } from '#client/ui/states/state-views.tsx'
import { type Shop, useMayChange, useShop } from '#features/accounts/client/public.ts'
import { OfflineNote } from '../edit/editable-row.tsx'
import { campaignQueries, listedCampaign } from '../queries.ts'
import { CampaignForm } from './campaign-form.tsx'

const route = getRouteApi('/dashboard/campaign-edit/$amazonId')

/** Name, budget, state and bidding of one campaign. */
export function CampaignEditPage() {
  const { amazonId } = route.useParams()
  const shop = useShop()
  const mayChange = useMayChange()
  const listed = useListed(shop, amazonId)
  const query = useQuery({ ...campaignQueries.one(shop, amazonId), placeholderData: () => listed?.page.content[0] })
  return (
    <Page
      title="Edit campaign"
      back="/campaigns"
      status={<OfflineAge updatedAt={[query.isPlaceholderData ? (listed?.updatedAt ?? 0) : query.dataUpdatedAt]} />}
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

/**
 * The campaign as a list has it, found while there is no network. It stays once there is one: what has been typed into its
 * form would be lost while its own answer is on its way.
 */
function useListed(shop: Shop, amazonId: string) {
  const client = useQueryClient()
  const online = useOnline()
  const [found, setFound] = useState<{ amazonId: string; listed: ReturnType<typeof listedCampaign> }>()
  const own = found?.amazonId === amazonId ? found.listed : undefined
  const listed = own ?? (online ? undefined : listedCampaign(client, shop, row => row.amazonId === amazonId))
  if (listed && !own) setFound({ amazonId, listed })
  return listed
}
