import { archiveOutline, chevronForwardOutline, createOutline, pauseOutline, playOutline } from 'ionicons/icons'
import { Link } from '@tanstack/react-router'
import { useState } from 'react'
import { useOnline } from '#client/api/online.ts'
import type { RangeSearch } from '#client/ui/forms/date-range.ts'
import { Icon } from '#client/ui/ionic/icon.tsx'
import { type RowAction, RowMenu } from '#client/ui/lists/row-menu.tsx'
import { Sheet } from '#client/ui/overlays/sheet.tsx'
import { Button } from '#client/ui/states/button.tsx'
import { type Shop, useMayChange } from '#features/accounts/client/public.ts'
import { adGroupFields, type AdGroup } from '#features/structure/contract.ts'
import { ChangeList } from '../changes/change-list.tsx'
import { EditSheet } from '../edit/edit-sheet.tsx'
import { useEditableRow } from '../edit/editable-row.tsx'
import { formatField } from '../form/field-labels.ts'
import { RowStatus } from '../list/row-status.tsx'

const useAdGroup = (stored: AdGroup) =>
  useEditableRow('adGroup', stored, ({ id, name }) => ({ name, href: `/adgroup-details?adGroupId=${id}` }))

/** What is done with an ad group most: on a phone in the bar at the bottom. */
export function AdGroupActions({ stored, shop }: { stored: AdGroup; shop: Shop }) {
  const mayChange = useMayChange()
  const [isEditing, setEditing] = useState(false)
  const { row, href, next, switchState } = useAdGroup(stored)
  if (!next || !mayChange) return null
  return (
    <>
      <Button className="bar-action" onClick={switchState}>
        <Icon icon={next === 'PAUSED' ? pauseOutline : playOutline} />
        <span>
          {next === 'PAUSED' ? 'Pause' : 'Enable'}
          <span className="visually-hidden"> ad group</span>
        </span>
      </Button>
      <Button className="bar-action" onClick={() => setEditing(true)}>
        <Icon icon={createOutline} />
        <span>
          Edit<span className="visually-hidden"> ad group</span>
        </span>
      </Button>
      {isEditing && (
        <EditSheet
          kind="adGroup"
          row={row}
          name={row.name}
          names={['name', 'defaultBid', 'bidOptimization']}
          title={`Edit ${row.name}`}
          submitLabel="Save ad group"
          savedTitle="Ad group saved"
          shop={shop}
          href={href}
          onClose={() => setEditing(false)}
        />
      )}
    </>
  )
}

/** What is done with an ad group now and then: its history, and its end. */
export function AdGroupMenu({ stored, shop }: { stored: AdGroup; shop: Shop }) {
  const online = useOnline()
  const mayChange = useMayChange()
  const [isHistory, setHistory] = useState(false)
  const { row, next, archive } = useAdGroup(stored)
  const actions: RowAction[] = [{ label: 'History', onSelect: () => setHistory(true) }]
  // What is for good is not left waiting for the network.
  if (next && mayChange && online)
    actions.push({
      label: 'Archive ad group…',
      icon: archiveOutline,
      tone: 'danger',
      onSelect: () => void archive(),
    })
  return (
    <>
      <RowMenu name={row.name} actions={actions} />
      {isHistory && (
        <Sheet open title={`History of ${row.name}`} onClose={() => setHistory(false)}>
          <ChangeList shop={shop} entity="adGroup" entityId={row.id} />
        </Sheet>
      )}
    </>
  )
}

/** The state and bid of an ad group in one line, with the way to its campaign. */
export function AdGroupSettings({ stored, days }: { stored: AdGroup; days: RangeSearch }) {
  const { row, note } = useAdGroup(stored)
  const bid = formatField('defaultBid', adGroupFields.defaultBid, row.defaultBid, row.currency)
  return (
    <>
      <Link to="/campaigns" search={{ campaign: row.campaignId, ...days }} className="settings-line">
        <span className="row-status">
          <RowStatus state={row.state} syncState="SYNCED" syncError={null} />
        </span>
        <span className="settings-text">
          {row.defaultBid !== null && `Default bid ${bid} · `}
          <span className="visually-hidden">Campaign: </span>
          {row.campaignName}
        </span>
        <Icon icon={chevronForwardOutline} />
      </Link>
      {row.syncState === 'PENDING' && <p className="settings-sync">Being sent to the marketplace</p>}
      {row.syncState === 'FAILED' && <p className="settings-sync error">Not changed: {row.syncError}</p>}
      {note}
    </>
  )
}
