import type { Shop } from '#features/accounts/client/public.ts'
import type { Campaign } from '#features/structure/contract.ts'
import { EditSheet } from '../edit/edit-sheet.tsx'

/** Changes the daily budget of a campaign, or that of its whole run. */
export function BudgetSheet({ row, shop, onClose }: { row: Campaign; shop: Shop; onClose: () => void }) {
  return (
    <EditSheet
      kind="campaign"
      row={row}
      name={row.name}
      names={['budget', 'lifetimeBudget']}
      title={`Budget of ${row.name}`}
      submitLabel="Save budget"
      savedTitle="Budget saved"
      shop={shop}
      href={`/campaigns?campaign=${row.id}`}
      onClose={onClose}
    />
  )
}
