import { bidProblem } from '#shared/campaign-rules.ts'
import * as v from 'valibot'
import { TextField } from '#client/ui/forms/text-field.tsx'
import { Button } from '#client/ui/states/button.tsx'
import { asinSchema } from '#features/recommendations/contract.ts'
import { listFull, MAX_IN_LIST } from '../../lists/list-changes.ts'
import { type PastedTarget, pastedTargets } from '../../lists/pasted-targets.ts'
import type { WizardProductTarget } from '../../draft/wizard-state.ts'
import { BidField } from './add-keyword.tsx'
import type { ConfigureProps } from './configure-props.ts'
import { PasteList } from '../lists/paste-list.tsx'

interface AddTargetProps extends ConfigureProps {
  chosen: readonly WizardProductTarget[]
  onAdd: (targets: WizardProductTarget[]) => void
}

// What a draft keeps of it.
const maxTyped = 20

/** Products to be shown beside, by their ASINs, one by one or as a list; what is half entered is kept with the draft. */
export function AddTarget({ state, dispatch, market, chosen, onAdd }: AddTargetProps) {
  const text = state.selectedProduct ?? ''
  const bid = state.productBid
  const fault = asinFault(text, chosen)
  const wrongBid = bidProblem(bid, market)
  const set = (fields: { selectedProduct?: string | null; productBid?: number | null }) =>
    dispatch({ type: 'fieldsSet', fields })
  return (
    <section className="configure-section" aria-label="Add product targets">
      <form
        noValidate
        onSubmit={event => {
          event.preventDefault()
          if (fault !== null || wrongBid !== null || bid === null) return
          onAdd([{ asin: text, bid }])
          set({ selectedProduct: null })
        }}
      >
        <h3>Add a product</h3>
        <div className="field-pair">
          <TextField
            label="ASIN"
            name="asin"
            maxLength={maxTyped}
            value={text}
            onChange={value => set({ selectedProduct: value.trim().toUpperCase() || null })}
            error={(text && fault) || undefined}
            help="Exactly 10 letters and digits."
          />
          <BidField
            bid={bid}
            market={market}
            onBid={value => set({ productBid: value === null ? null : Math.max(0, value) })}
          />
        </div>
        <Button type="submit" block disabled={fault !== null || wrongBid !== null}>
          Add product target
        </Button>
      </form>
      <PasteList
        label="ASINs"
        name="pasted targets"
        help="ASINs or addresses of product pages: one a line, between commas, or a spreadsheet’s column with the bid in the next. Rows without their own take the bid above."
        read={pasted => pastedTargets(pasted, { chosen, bid, market })}
        nameOf={row => row.asin}
        lineOf={lineOf}
        things={['product target', 'product targets']}
        onAdd={rows => onAdd(rows.flatMap(row => (row.bid === null ? [] : [{ asin: row.asin, bid: row.bid }])))}
      />
    </section>
  )
}

const lineOf = ({ asin, bid }: PastedTarget): string => (bid === null ? asin : `${asin}\t${bid}`)

function asinFault(text: string, chosen: readonly WizardProductTarget[]): string | null {
  const parsed = v.safeParse(asinSchema, text)
  if (!parsed.success) return parsed.issues[0].message
  if (chosen.some(t => t.asin === parsed.output)) return `${parsed.output} is in the list already.`
  return chosen.length >= MAX_IN_LIST ? listFull : null
}
