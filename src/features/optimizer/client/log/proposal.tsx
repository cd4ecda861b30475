import { useState } from 'react'
import { useOnline } from '#client/api/online.ts'
import { formatMoment, formatNumber } from '#client/ui/figures/format.ts'
import { MoneyField, NumberField } from '#client/ui/forms/number-field.tsx'
import { Sheet } from '#client/ui/overlays/sheet.tsx'
import { Button } from '#client/ui/states/button.tsx'
import { useMayChange } from '#features/accounts/client/public.ts'
import type { LogRow } from '../../contract.ts'
import { decisionText, valueText } from '../../decision-text.ts'
import type { LogActs } from './use-log-acts.ts'

interface AnswerProps {
  row: LogRow
  /** How many changes go with the answer. */
  count: number
  acts: LogActs
}

/** Yes, no, or another number to a proposal, and until when it can be answered. */
export function Answer({ row, count, acts }: AnswerProps) {
  const online = useOnline()
  const mayChange = useMayChange()
  const [isChanging, setChanging] = useState(false)
  if (!mayChange) return null
  const disabled = !online || acts.busy !== null
  const isNumber = typeof row.after === 'number' && count === 1
  return (
    <div className="decision-answers">
      <div className="button-row">
        <Button tone="accent" disabled={disabled} busy={acts.busy === row.id} onClick={() => void acts.approve(row)}>
          {count > 1 && row.kind !== 'harvest' ? `Approve all ${formatNumber(count)}` : 'Approve'}
        </Button>
        {isNumber && (
          <Button disabled={disabled} onClick={() => setChanging(true)}>
            Change
            <span className="visually-hidden"> the number</span>
          </Button>
        )}
        <Button disabled={disabled} onClick={() => void acts.reject(row)}>
          Reject
        </Button>
      </div>
      {!online && <p className="decision-foot">You are offline. You can answer once you are online.</p>}
      {row.expiresAt && online && (
        <p className="decision-foot">Without an answer it expires on {formatMoment(row.expiresAt)}.</p>
      )}
      {isChanging && <NumberSheet row={row} acts={acts} onClose={() => setChanging(false)} />}
    </div>
  )
}

/** Approves a proposal with another number than the proposed one. */
function NumberSheet({ row, acts, onClose }: Omit<AnswerProps, 'count'> & { onClose: () => void }) {
  const [value, setValue] = useState<number | null>(typeof row.after === 'number' ? row.after : null)
  const { title, reason } = decisionText(row)
  const field = { label: 'Your number', name: 'after', value, onChange: setValue }
  const approve = (): void => {
    if (value === null) return
    onClose()
    void acts.approve(row, value)
  }
  return (
    <Sheet
      open
      short
      title="Change the number"
      onClose={onClose}
      footer={
        <Button tone="accent" block disabled={value === null || value < 0} onClick={approve}>
          {value === null ? 'Approve' : `Approve ${valueText(row, value)}`}
        </Button>
      }
    >
      <p>
        <strong>{title}</strong>
      </p>
      <p>{reason}</p>
      {row.unit === 'PERCENT' ? (
        <NumberField {...field} suffix="%" digits={0} />
      ) : (
        <MoneyField {...field} currency={row.currency} />
      )}
    </Sheet>
  )
}
