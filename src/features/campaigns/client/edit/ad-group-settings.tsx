import { useState } from 'react'
import { useOnline } from '#client/api/online.ts'
import { Money } from '#client/ui/figures/figure.tsx'
import { KeyValue } from '#client/ui/lists/card.tsx'
import { Button } from '#client/ui/states/button.tsx'
import type { Shop } from '#features/accounts/client/public.ts'
import type { AdGroupRow } from '../../contract.ts'
import { RowStatus } from '../list/row-status.tsx'
import { otherState, useStateChange } from '../use-state-change.ts'
import { EditSheet } from './edit-sheet.tsx'
import { PendingEditNote, useWithPending } from './pending-edits.tsx'

/** State and default bid of an ad group, and what can be done with it. */
export function AdGroupSettings({ row: stored, shop }: { row: AdGroupRow; shop: Shop }) {
  const online = useOnline()
  const [editing, setEditing] = useState(false)
  const { shown: row, revert } = useWithPending('adGroup', stored)
  const { switchState, archive } = useStateChange('adGroup')
  const next = otherState(row.state)
  const href = `/adgroup-details?adGroupId=${row.id}`
  const switched = { ...row, href }
  return (
    <>
      <div className="row-status">
        <RowStatus {...row} />
      </div>
      <KeyValue items={[{ label: 'Default bid', value: <Money amount={row.defaultBid} currency={row.currency} /> }]} />
      <PendingEditNote revert={revert} />
      {next && (
        <div className="detail-actions">
          <Button onClick={() => switchState(switched)}>
            {next === 'PAUSED' ? 'Pause ad group' : 'Enable ad group'}
          </Button>
          <Button onClick={() => setEditing(true)}>Edit ad group</Button>
          <Button tone="danger" disabled={!online} onClick={() => void archive(switched)}>
            Archive ad group
          </Button>
        </div>
      )}
      {editing && (
        <EditSheet
          kind="adGroup"
          row={row}
          name={row.name}
          names={['name', 'defaultBid']}
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
