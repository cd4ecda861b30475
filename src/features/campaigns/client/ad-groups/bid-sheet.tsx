import * as v from 'valibot'
import { MoneyField } from '#client/ui/forms/number-field.tsx'
import { useForm } from '#client/ui/forms/use-form.ts'
import { Sheet } from '#client/ui/overlays/sheet.tsx'
import { Button } from '#client/ui/states/button.tsx'
import type { Shop } from '#features/accounts/client/public.ts'
import { marketplaceById } from '#shared/marketplaces.ts'
import type { TargetRow } from '../../contract.ts'
import { bidProblem } from '#shared/campaign-rules.ts'
import { useEdit } from '../edit/use-edit.ts'

interface BidSheetProps {
  row: TargetRow
  name: string
  kind: 'keyword' | 'target'
  /** The bid that holds now. */
  bid: number | null
  shop: Shop
  onClose: () => void
}

/** Changes the bid of one keyword or target. */
export const BidSheet = ({ row, name, kind, bid, shop, onClose }: BidSheetProps) => {
  const { make } = useEdit(kind)
  const market = marketplaceById(shop.marketplaceId)
  const schema = v.object({
    bid: v.pipe(
      v.number('Bid is required'),
      v.rawCheck(({ dataset, addIssue }) => {
        const problem = dataset.typed && market ? bidProblem(dataset.value, market) : null
        if (problem) addIssue({ message: problem })
      }),
    ),
  })
  const form = useForm({
    schema,
    initial: { bid },
    fieldOf: () => 'bid',
    onSubmit: async values => {
      const { id, version, currency, adGroupId } = row
      const edit = { kind, id, version, name, set: { bid: values.bid }, was: bid === null ? {} : { bid } }
      await make({ edit, told: 'Bid saved', currency, href: `/adgroup-details?adGroupId=${adGroupId}` })
      onClose()
    },
  })
  return (
    <Sheet open onClose={onClose} title={`Bid for ${name}`}>
      <form {...form.props}>
        <MoneyField label="Bid for a click" currency={row.currency} {...form.field('bid')} />
        <Button type="submit" tone="primary" block busy={form.busy} busyLabel="Saving...">
          Save bid
        </Button>
      </form>
    </Sheet>
  )
}
