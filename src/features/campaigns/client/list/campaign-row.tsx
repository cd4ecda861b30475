import { createOutline } from 'ionicons/icons'
import { useRouter } from '@tanstack/react-router'
import { Money } from '#client/ui/figures/figure.tsx'
import { ListRow } from '#client/ui/lists/list-row.tsx'
import type { RowAction } from '#client/ui/lists/row-menu.tsx'
import { SwipeRow } from '#client/ui/lists/swipe-row.tsx'
import type { CampaignRow } from '../../contract.ts'
import { RowFigures } from '../figures/row-figures.tsx'
import { RowStatus } from './row-status.tsx'
import type { ListSearch } from './list-search.ts'
import { otherState, useStateChange } from '../use-state-change.ts'
import { switchAction } from '../edit/switch-action.ts'
import { PendingEditNote, useWithPending } from '../edit/pending-edits.tsx'

/** Ad types as advertisers abbreviate them. */
export const adTypeWords: Record<CampaignRow['adType'], string> = {
  SPONSORED_PRODUCTS: 'SP',
  SPONSORED_BRANDS: 'SB',
  SPONSORED_DISPLAY: 'SD',
}

interface CampaignRowProps {
  row: CampaignRow
  /** How the list is narrowed, kept when the campaign is opened. */
  search: ListSearch
  chosen: boolean
}

/** A campaign as the user wants it, what can be done with it, and how a change of it is undone. */
export function useCampaignRow(row: CampaignRow) {
  const { shown, revert } = useWithPending('campaign', row)
  const { switchState } = useStateChange('campaign')
  const router = useRouter()
  const next = otherState(shown.state)
  const actions: RowAction[] = next
    ? [
        switchAction(next, () => switchState({ ...shown, href: `/campaigns?campaign=${shown.id}` })),
        {
          label: 'Edit',
          icon: createOutline,
          onSelect: () => void router.navigate({ href: `/campaign-edit/${shown.amazonId}` }),
        },
      ]
    : []
  return { shown, revert, actions }
}

/** A campaign in the list: paused or enabled by a swipe or behind a button; without network the change waits. */
export function CampaignRowItem({ row: stored, search, chosen }: CampaignRowProps) {
  const { shown: row, revert, actions } = useCampaignRow(stored)
  const content = (
    <div className={chosen ? 'campaign-row campaign-row-chosen' : 'campaign-row'}>
      <ListRow
        title={row.name}
        to="/campaigns"
        search={{ ...search, campaign: row.id }}
        row={row.id}
        detail={
          <div className="row-status">
            <RowStatus {...row} quiet />
            <span>{adTypeWords[row.adType]}</span>
            {row.budget !== null && (
              <span>
                <Money amount={row.budget} currency={row.currency} /> a day
              </span>
            )}
            <span>{row.targetingType === 'AUTO' ? 'Automatic' : 'Manual'}</span>
          </div>
        }
        figures={<RowFigures figures={row} currency={row.currency} />}
      />
      <PendingEditNote revert={revert} />
    </div>
  )
  if (!actions.length) return content
  return (
    <SwipeRow name={row.name} actions={actions}>
      {content}
    </SwipeRow>
  )
}
