import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { useOnline } from '#client/api/online.ts'
import { formatMoney } from '#client/ui/figures/format.ts'
import { KeyValue } from '#client/ui/lists/card.tsx'
import { Sheet } from '#client/ui/overlays/sheet.tsx'
import { Button } from '#client/ui/states/button.tsx'
import { QueryView } from '#client/ui/states/query-view.tsx'
import type { Plan, PlanChange } from '../contract.ts'
import { changePlan } from './mutations.ts'
import { subscriptionQueries } from './queries.ts'
import { longDay } from './standing.ts'

interface ChangePlanSheetProps {
  /** The plan to change to; null while the sheet is closed. */
  plan: Plan | null
  onClose: () => void
}

/** Shows what a change of plan costs, and changes it once that is confirmed. */
export function ChangePlanSheet({ plan, onClose }: ChangePlanSheetProps) {
  const query = useQuery({ ...subscriptionQueries.planChange(plan?.id ?? 0), enabled: plan !== null })
  const change = useMutation(changePlan(useQueryClient()))
  const online = useOnline()
  const { data } = query
  const isCurrent = data !== undefined && data.planId === plan?.id && !query.isFetching
  return (
    <Sheet
      open={plan !== null}
      title={plan ? `Change to ${plan.name}` : 'Change the plan'}
      onClose={onClose}
      short
      footer={
        <Button
          tone="primary"
          block
          busy={change.isPending}
          busyLabel="Changing…"
          disabled={!isCurrent || !online}
          onClick={() => data && change.mutate(data, { onSuccess: onClose })}
        >
          {isCurrent && data.amountDue > 0
            ? `Change and pay ${formatMoney(data.amountDue, data.currency)}`
            : 'Change the plan'}
        </Button>
      }
    >
      {plan && (
        <QueryView query={query} loading={{ rows: 3, label: 'Working out what it costs' }}>
          {preview => <Preview preview={preview} />}
        </QueryView>
      )}
    </Sheet>
  )
}

const billing: string = '/subscription/billing'

function Preview({ preview }: { preview: PlanChange }) {
  const { currency, amountDue, credit, lines, nextAmount, nextDate } = preview
  const money = (amount: number): string => formatMoney(amount, currency)
  return (
    <>
      <KeyValue
        items={[
          ...lines.map(({ description, amount }) => ({ label: description, value: money(amount) })),
          { label: 'Charged now', value: <strong>{money(amountDue)}</strong> },
          ...(credit > 0 ? [{ label: 'Credit for later invoices', value: money(credit) }] : []),
          { label: nextDate ? `From ${longDay(nextDate)}` : 'Then', value: `${money(nextAmount)} a month` },
        ]}
      />
      <p>
        {amountDue > 0 ? 'It is charged to your card when you confirm. ' : 'Nothing is charged when you confirm. '}
        <Link to={billing}>See your card</Link>
      </p>
    </>
  )
}
