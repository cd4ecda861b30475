import type { ButtonHTMLAttributes } from 'react'
import type { Marketplace, Merchant } from '../../contract.ts'

interface AccountChipProps extends ButtonHTMLAttributes<HTMLButtonElement> {
  merchant: Pick<Merchant, 'name'> | null | undefined
  marketplace: Pick<Marketplace, 'key'> | null | undefined
}

/** The button of the MerchantSwitcher, apart from it for the first screen, which is drawn before anything can be chosen. */
export function AccountChip({ merchant, marketplace, ...button }: AccountChipProps) {
  const name = [merchant?.name, marketplace?.key].filter(Boolean).join(' · ')
  return (
    <button
      type="button"
      className="chip chip-drop account-chip"
      aria-label={`Merchant and marketplace: ${name || 'none'}. Change`}
      {...button}
    >
      <span>{merchant?.name ?? 'Choose a merchant'}</span>
      {merchant && marketplace && <b>· {marketplace.key}</b>}
    </button>
  )
}
