import * as v from 'valibot'
import { MoneyField } from '#client/ui/forms/number-field.tsx'
import { TextField } from '#client/ui/forms/text-field.tsx'
import { useForm } from '#client/ui/forms/use-form.ts'
import { Sheet } from '#client/ui/overlays/sheet.tsx'
import { Button } from '#client/ui/states/button.tsx'
import type { Shop } from '#features/accounts/client/public.ts'
import { marketplaceById } from '#shared/marketplaces.ts'
import { type AdGroupRow } from '../../contract.ts'
import { adGroupChange } from '#features/structure/contract.ts'
import { bidProblem } from '#shared/campaign-rules.ts'
import { fieldsRefused } from '../form/campaign-form-values.ts'
import { useEdit } from './use-edit.ts'

interface AdGroupSheetProps {
  row: AdGroupRow
  shop: Shop
  href: string
  onClose: () => void
}

/** Changes the name and the default bid of an ad group. */
export const AdGroupSheet = ({ row, shop, href, onClose }: AdGroupSheetProps) => {
  const { make } = useEdit('adGroup')
  const market = marketplaceById(shop.marketplaceId)
  const form = useForm({
    schema: v.object({
      name: v.unwrap(adGroupChange.entries.name),
      defaultBid: v.pipe(
        v.number('Default bid is required'),
        v.rawCheck(({ dataset, addIssue }) => {
          const problem = dataset.typed && market ? bidProblem(dataset.value, market) : null
          if (problem) addIssue({ message: problem })
        }),
      ),
    }),
    initial: { name: row.name, defaultBid: row.defaultBid },
    fieldOf: (detail, error) =>
      (['name', 'defaultBid'] as const).find(field => fieldsRefused(error)?.[field] === detail),
    onSubmit: async ({ name, defaultBid }) => {
      const renamed = name !== row.name
      const rebid = defaultBid !== row.defaultBid
      const set = { ...(renamed && { name }), ...(rebid && { defaultBid }) }
      const was = {
        ...(renamed && { name: row.name }),
        ...(rebid && row.defaultBid !== null && { defaultBid: row.defaultBid }),
      }
      const { id, version, currency } = row
      if (renamed || rebid)
        await make({
          edit: { kind: 'adGroup', id, version, name: row.name, set, was },
          told: 'Ad group saved',
          currency,
          href,
        })
      onClose()
    },
  })
  return (
    <Sheet open onClose={onClose} title={`Edit ${row.name}`}>
      <form {...form.props}>
        <TextField label="Ad group name" {...form.field('name')} />
        <MoneyField
          label="Default bid"
          help="For everything in the ad group without a bid of its own."
          currency={row.currency}
          {...form.field('defaultBid')}
        />
        <Button type="submit" tone="primary" block busy={form.busy} busyLabel="Saving...">
          Save ad group
        </Button>
      </form>
    </Sheet>
  )
}
