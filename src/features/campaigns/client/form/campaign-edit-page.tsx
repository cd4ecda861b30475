import { useQuery } from '@tanstack/react-query'
import { getRouteApi } from '@tanstack/react-router'
import { Page } from '#client/ui/ionic/page.tsx'
import { QueryView } from '#client/ui/states/query-view.tsx'
import { EmptyState } from '#client/ui/states/state-views.tsx'
import { type Shop, useShop } from '#features/accounts/client/public.ts'
import type { Campaign } from '#features/structure/contract.ts'
import { CampaignForm } from './campaign-form.tsx'
import { useWithPending } from '../edit/pending-edits.tsx'
import { OfflineNote } from '../offline-note.tsx'
import { campaignQueries } from '../queries.ts'
import '../campaigns.css'

function CampaignFormWithPending({ campaign, shop }: { campaign: Campaign; shop: Shop }) {
  const { shown } = useWithPending('campaign', campaign)
  return <CampaignForm campaign={shown} shop={shop} />
}

const route = getRouteApi('/dashboard/campaign-edit/$amazonId')

/** Name, budget, state and bidding of one campaign. */
export function CampaignEditPage() {
  const { amazonId } = route.useParams()
  const shop = useShop()
  const query = useQuery(campaignQueries.one(shop, amazonId))
  return (
    <Page title="Edit campaign" back="/campaigns">
      <OfflineNote />
      <QueryView
        query={query}
        loading={{ rows: 4, label: 'Loading the campaign' }}
        failedTitle="Failed to fetch campaign"
        notFound={<EmptyState title="There is no such campaign" hint="It may belong to another marketplace." />}
        empty={({ state, name }) =>
          state === 'ARCHIVED' && <EmptyState title={name} hint="An archived campaign cannot be changed." />
        }
      >
        {/* A newer row from elsewhere does not disturb what is being typed: the server compares versions. */}
        {campaign => <CampaignFormWithPending key={campaign.id} campaign={campaign} shop={shop} />}
      </QueryView>
    </Page>
  )
}
