import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { SelectField } from '#client/ui/forms/fields.tsx'
import { chooseMarketplace } from '../mutations.ts'
import { accountQueries } from '../queries.ts'

/** Which marketplace of the current merchant is worked in; takes effect at once. */
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
