import { createOutline } from 'ionicons/icons'
import { useRouter } from '@tanstack/react-router'
import { Money } from '#client/ui/figures/figure.tsx'
import { ListRow } from '#client/ui/lists/list-row.tsx'
import type { RowAction } from '#client/ui/lists/row-menu.tsx'
import type { CampaignRow } from '../../contract.ts'
import { RowFigures } from '../figures/row-figures.tsx'
import { ActionRow, useEditableRow } from '../edit/editable-row.tsx'
import { RowStatus } from './row-status.tsx'
import type { ListSearch } from './list-search.ts'

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

/** A campaign as the user wants it, and what can be done with it. */
export function useCampaignRow(stored: CampaignRow) {
  const router = useRouter()
  const editable = useEditableRow('campaign', stored, ({ id, name }) => ({ name, href: `/campaigns?campaign=${id}` }))
  const href = `/campaign-edit/${stored.amazonId}`
  const edit: RowAction = { label: 'Edit', icon: createOutline, onSelect: () => void router.navigate({ href }) }
  return { ...editable, actions: editable.next ? [editable.switchAction, edit] : [] }
}

/** A campaign in the list: paused or enabled by a swipe or behind a button; without network the change waits. */
export function CampaignRowItem({ row: stored, search, chosen }: CampaignRowProps) {
  const { row, note, actions } = useCampaignRow(stored)
  return (
    <ActionRow name={row.name} actions={actions}>
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
        {note}
      </div>
    </ActionRow>
  )
}
