import { useForm } from '#client/ui/forms/use-form.ts'
import { Sheet } from '#client/ui/overlays/sheet.tsx'
import { Button } from '#client/ui/states/button.tsx'
import type { Shop } from '#features/accounts/client/public.ts'
import { bidProblem, dailyBudgetProblem } from '#shared/campaign-rules.ts'
import { fieldsOfRow } from '#shared/fields.ts'
import { marketplaceById } from '#shared/marketplaces.ts'
import { draftOf, editOf, formSchema, rejectedFields } from '../form/entity-form.tsx'
import { FieldInputs } from '../form/entity-form.tsx'
import { fieldsOfKind } from '../form/field-labels.ts'
import { type RowChanges, useEdit } from './use-edit.ts'

interface EditSheetProps {
  kind: 'campaign' | 'adGroup' | 'keyword' | 'target'
  row: { id: number; version: number; currency: string }
  /** Values that apply where the row has none: the ad group's bid. */
  inherited?: Record<string, number | null>
  /** What the row is called. */
  name: string
  /** Which of its fields are edited. */
  names: readonly string[]
  title: string
  submitLabel: string
  /** What a notification says once it is saved: "Bid saved". */
  savedTitle: string
  shop: Shop
  /** Where the row is found. */
  href: string
  onClose: () => void
}

/** Changes fields of one row: a campaign's budget, the name and default bid of an ad group, a keyword's or target's bid. */
export function EditSheet(props: EditSheetProps) {
  const { kind, row, inherited = {}, name, names, title, submitLabel, savedTitle, shop, href, onClose } = props
  const { id, version, currency } = row
  const { make } = useEdit(kind)
  const fields = fieldsOfRow(fieldsOfKind(kind), row)
  const market = marketplaceById(shop.marketplaceId)
  const checkBid = (bid: number): string | null => (market ? bidProblem(bid, market) : null)
  const checks = {
    bid: checkBid,
    defaultBid: checkBid,
    budget: (budget: number) => (market ? dailyBudgetProblem(budget, market) : null),
  }
  const form = useForm({
    schema: formSchema(fields, checks, names),
    initial: draftOf(fields, { ...row, ...inherited }),
    fieldOf: (detail, error) => names.find(field => rejectedFields(error)?.[field] === detail),
    onSubmit: async values => {
      const { set, was } = editOf<RowChanges[typeof kind]>(fields, row, values)
      const edit = { kind, id, version, name, set, was: { ...('bid' in set && inherited), ...was } }
      if (Object.keys(set).length) await make({ edit, title: savedTitle, currency, href })
      onClose()
    },
  })
  return (
    <Sheet open onClose={onClose} title={title}>
      <form {...form.props}>
        <FieldInputs fields={fields} names={names} bind={form.field} currency={currency} />
        <Button type="submit" tone="primary" block busy={form.busy} busyLabel="Saving...">
          {submitLabel}
        </Button>
      </form>
    </Sheet>
  )
}
