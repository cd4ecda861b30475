import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { SelectField } from '#client/ui/forms/fields.tsx'
import { Sheet } from '#client/ui/overlays/sheet.tsx'
import { Button } from '#client/ui/states/button.tsx'
import { chooseMarketplace, chooseMerchant } from '../mutations.ts'
import { accountQueries } from '../queries.ts'

interface MerchantSheetProps {
  open: boolean
  merchantId: number | null
  onClose: () => void
}

export function MerchantSheet({ open, merchantId, onClose }: MerchantSheetProps) {
  return (
    <Sheet
      open={open}
      title="Merchant and marketplace"
      onClose={onClose}
      short
      footer={
        <Button tone="primary" onClick={onClose}>
          Done
        </Button>
      }
    >
      {open && <Choices merchantId={merchantId} />}
    </Sheet>
  )
}

function Choices({ merchantId }: { merchantId: number | null }) {
  const { data: merchants = [] } = useQuery(accountQueries.merchants())
  const choose = useMutation(chooseMerchant(useQueryClient()))
  return (
    <>
      <SelectField
        label="Merchant"
        name="merchant"
        value={merchantId === null ? '' : String(merchantId)}
        onChange={value => choose.mutate(Number(value))}
        disabled={choose.isPending}
        {...(merchantId === null && { placeholder: 'Choose a merchant' })}
        options={merchants.map(m => ({ value: String(m.id), label: `${m.name} (${m.regionName})` }))}
      />
      {merchantId !== null && <MarketplacePicker merchantId={merchantId} />}
    </>
  )
}

export function MarketplacePicker({ merchantId }: { merchantId: number }) {
  const { data: marketplaces = [] } = useQuery(accountQueries.marketplacesOf(merchantId))
  const { data: current } = useQuery(accountQueries.currentMarketplace())
  const choose = useMutation(chooseMarketplace(useQueryClient()))
  if (marketplaces.length === 0) return null
  return (
    <SelectField
      label="Marketplace"
      name="marketplace"
      value={current ? String(current.id) : ''}
      onChange={value => choose.mutate(Number(value))}
      disabled={choose.isPending}
      {...(!current && { placeholder: 'Choose a marketplace' })}
      options={marketplaces.map(m => ({ value: String(m.id), label: `${m.name} (${m.currency})` }))}
    />
  )
}
