import * as v from 'valibot'
import { useEffect, useEffectEvent } from 'react'
import { useHoldReload } from '#client/pwa/can-reload-now.ts'
import { MoneyField } from '#client/ui/forms/number-field.tsx'
import { useForm } from '#client/ui/forms/use-form.ts'
import { Button } from '#client/ui/states/button.tsx'
import { fromMicros, hasUnitPrecision, toMicros } from '#shared/money.ts'
import { catalogueEndpoints } from '../../contract.ts'

const { cogs } = catalogueEndpoints.setCogs.query.entries

/** The contract's rule for COGS, and that the currency can express the amount. An empty field is null and asks for one. */
export function cogsSchema(currency: string) {
  return v.object({
    cogs: v.pipe(
      v.number('Enter what one unit costs you'),
      v.rawCheck(({ dataset, addIssue }) => {
        if (!dataset.typed) return
        const { issues } = v.safeParse(cogs, dataset.value)
        if (issues) addIssue({ message: issues[0].message })
        else if (!isWritable(dataset.value, currency)) addIssue({ message: `${currency} has no such small amounts` })
      }),
    ),
  })
}

function isWritable(amount: number, currency: string): boolean {
  const micros = toMicros(amount)
  // An amount below a micro would be rounded to nothing.
  return fromMicros(micros) === amount && hasUnitPrecision(micros, currency)
}

interface CogsFormProps {
  amount: number | null
  currency: string
  onSave: (cogs: number) => void
  onCancel: () => void
}

/** Asks what a piece costs, in place of the figure. Escape leaves it as it was. */
export function CogsForm({ amount, currency, onSave, onCancel }: CogsFormProps) {
  const form = useForm({
    schema: cogsSchema(currency),
    initial: { cogs: amount },
    onSubmit: ({ cogs }) => onSave(cogs),
  })
  const { ref } = form.props
  const cancel = useEffectEvent(onCancel)
  useEffect(() => {
    const input = ref.current?.querySelector('input')
    input?.focus()
    input?.select()
    const onKey = (event: KeyboardEvent) => {
      if (event.key === 'Escape') cancel()
    }
    const element = ref.current
    element?.addEventListener('keydown', onKey)
    return () => element?.removeEventListener('keydown', onKey)
  }, [ref])
  useHoldReload(true)
  return (
    <form {...form.props} className="cogs-form" aria-label="COGS">
      <MoneyField label="COGS" help="What one unit costs you." currency={currency} {...form.field('cogs')} />
      <div className="button-row">
        <Button tone="primary" type="submit">
          Save
        </Button>
        <Button onClick={onCancel}>Cancel</Button>
      </div>
    </form>
  )
}
