import { useSheetAddress } from '#client/ui/overlays/use-sheet-address.ts'
import { Button } from '#client/ui/states/button.tsx'
import { EmptyState } from '#client/ui/states/state-views.tsx'
import { type Shop, useMayChange } from '#features/accounts/client/public.ts'
import { NegativesPanel } from './negatives-panel.tsx'

interface NegativeListProps {
  shop: Shop
  campaignId?: number
  adGroupId?: number
}

/** The negatives of an ad group, or of a campaign with all its ad groups; more are added in a sheet. */
export function NegativeList({ shop, campaignId, adGroupId }: NegativeListProps) {
  const mayChange = useMayChange()
  const { opened, open, close } = useSheetAddress('sheet')
  return (
    <>
      {mayChange && (
        <div className="detail-actions negatives-add">
          <Button onClick={() => open({ sheet: 'add' })}>Add negatives</Button>
        </div>
      )}
      <NegativesPanel
        shop={shop}
        filter={{ campaignId, adGroupId, state: 'NOT_ARCHIVED' }}
        empty={<EmptyState title="No negatives yet" hint="Negatives keep ads away from searches that never sell." />}
        isAdding={opened.sheet === 'add'}
        onAddingEnd={close}
      />
    </>
  )
}
