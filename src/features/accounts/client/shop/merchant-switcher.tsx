import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { swapHorizontalOutline } from 'ionicons/icons'
import { useState } from 'react'
import { SelectField } from '#client/ui/forms/select-field.tsx'
import { Icon } from '#client/ui/ionic/icon.tsx'
import { Sheet } from '#client/ui/overlays/sheet.tsx'
import { Button } from '#client/ui/states/button.tsx'
import { MarketplacePicker } from './marketplace-picker.tsx'
import { chooseMerchant } from '../mutations.ts'
import { accountQueries } from '../queries.ts'

/** Says which merchant and marketplace is worked with, and changes them in a sheet. For toolbars and page heads. */
export const MerchantSwitcher = () => {
  const [open, setOpen] = useState(false)
  const { data: merchant } = useQuery(accountQueries.currentMerchant())
  const { data: marketplace } = useQuery(accountQueries.currentMarketplace())
  const name = [merchant?.name, marketplace?.key].filter(Boolean).join(' · ') || 'Choose a merchant'
  return (
    <>
      <Button onClick={() => setOpen(true)} aria-label={`Merchant and marketplace: ${name}. Change`}>
        <span>{name}</span>
        <Icon icon={swapHorizontalOutline} />
      </Button>
      <Sheet
        open={open}
        title="Merchant and marketplace"
        onClose={() => setOpen(false)}
        footer={
          <Button tone="primary" onClick={() => setOpen(false)}>
            Done
          </Button>
        }
      >
        {open && <Choices merchantId={merchant?.id ?? null} />}
      </Sheet>
    </>
  )
}

const Choices = ({ merchantId }: { merchantId: number | null }) => {
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
