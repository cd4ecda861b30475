import { useEffect, useEffectEvent } from 'react'
import { useHoldReload } from '#client/pwa/can-reload-now.ts'
import { MoneyField } from '#client/ui/forms/number-field.tsx'
import { useForm } from '#client/ui/forms/use-form.ts'
import { Button } from '#client/ui/states/button.tsx'
import { cogsSchema } from './cogs-schema.ts'

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
