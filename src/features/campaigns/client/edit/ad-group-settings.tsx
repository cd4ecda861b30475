import { useState } from 'react'
import { useOnline } from '#client/api/online.ts'
import { Money } from '#client/ui/figures/figure.tsx'
import { KeyValue } from '#client/ui/lists/card.tsx'
import { Button } from '#client/ui/states/button.tsx'
import type { Shop } from '#features/accounts/client/public.ts'
import type { AdGroupRow } from '../../contract.ts'
import { RowStatus } from '../list/row-status.tsx'
import { EditSheet } from './edit-sheet.tsx'
import { useEditableRow } from './editable-row.tsx'

/** State and default bid of an ad group, and what can be done with it. */
export function AdGroupSettings({ row: stored, shop }: { row: AdGroupRow; shop: Shop }) {
  const online = useOnline()
  const [editing, setEditing] = useState(false)
  const { row, href, note, next, switchState, archive } = useEditableRow('adGroup', stored, ({ id, name }) => ({
    name,
    href: `/adgroup-details?adGroupId=${id}`,
  }))
  return (
    <>
      <div className="row-status">
        <RowStatus {...row} />
      </div>
      <KeyValue items={[{ label: 'Default bid', value: <Money amount={row.defaultBid} currency={row.currency} /> }]} />
      {note}
      {next && (
        <div className="detail-actions">
          <Button onClick={switchState}>{next === 'PAUSED' ? 'Pause ad group' : 'Enable ad group'}</Button>
          <Button onClick={() => setEditing(true)}>Edit ad group</Button>
          <Button tone="danger" disabled={!online} onClick={() => void archive()}>
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
