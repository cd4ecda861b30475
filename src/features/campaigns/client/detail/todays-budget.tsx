import { Suspense } from 'react'
import { lazyWhenIdle } from '#client/early/when-idle.ts'
import type { Shop } from '#features/accounts/client/public.ts'
import type { Campaign } from '#features/structure/contract.ts'

const BudgetRescue = lazyWhenIdle(() => import('#features/budget-rescue/client/public.ts').then(m => m.BudgetRescue))

/** The raise of a running campaign's budget for today alone; that it needs one is shown by `CampaignNeeds`. */
export function TodaysBudget({ row, shop }: { row: Campaign; shop: Shop }) {
  if (row.state !== 'ENABLED' || row.budget === null) return null
  return (
    <Suspense>
      <BudgetRescue campaignId={row.id} shop={shop} isOut={row.servingStatus === 'CAMPAIGN_OUT_OF_BUDGET'} />
    </Suspense>
  )
}
