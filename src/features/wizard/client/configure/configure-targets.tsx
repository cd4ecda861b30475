import { useQuery } from '@tanstack/react-query'
import * as v from 'valibot'
import { MoneyField } from '#client/ui/forms/number-field.tsx'
import { TextField } from '#client/ui/forms/text-field.tsx'
import { Button } from '#client/ui/states/button.tsx'
import { asinSchema, type ProductThemeRecommendation } from '#features/recommendations/contract.ts'
import { bidFault } from '../../bid-fault.ts'
import type { WizardProductTarget } from '../../wizard-state.ts'
import { BidRow, RecommendedRow } from './bid-rows.tsx'
import { BulkBids } from './bulk-bids.tsx'
import type { ConfigureListProps } from './configure-props.ts'
import { wizardQueries } from '../queries.ts'
import { Recommended } from './recommended.tsx'
import { productMatchWords } from '../words.ts'

// Themes come as the marketplace names them: FREQUENTLY_BOUGHT_TOGETHER.
const inWords = (theme: string): string => {
  const words = theme.replaceAll('_', ' ').toLowerCase()
  return words.charAt(0).toUpperCase() + words.slice(1)
}

type AsinBid = ProductThemeRecommendation['asinBids'][number]

const fromRecommendation = (r: AsinBid): WizardProductTarget => ({
  asin: r.asin,
  bid: r.bid,
  lowBid: r.lowBid,
  medianBid: r.medianBid,
  highBid: r.highBid,
})

/** The products that an ad is shown beside: chosen, added by hand, recommended by theme. */
export const ConfigureTargets = (props: ConfigureListProps) => {
  const { state, dispatch, market, listKey, asins } = props
  const chosen = state.productTargets[listKey] ?? []
  const query = useQuery(wizardQueries.themes(asins, state.strategy ?? 'NORMAL'))
  const list = { list: 'productTargets', key: listKey } as const
  const detail = productMatchWords[state.productMatchType ?? 'PRODUCT_EXACT']
  const isAdded = (asin: string) => chosen.some(t => t.asin === asin)
  const add = (items: WizardProductTarget[]) => dispatch({ type: 'targetsAdded', key: listKey, items })
  const rest = query.data?.flatMap(t => t.asinBids).filter(r => !isAdded(r.asin)) ?? []
  return (
    <>
      <section className="configure-section" aria-label="Chosen product targets">
        <h3>Chosen product targets ({chosen.length})</h3>
        <BulkBids items={chosen} market={market} onBids={bids => dispatch({ type: 'bidsSet', ...list, bids })} />
        <ul className="plain-list">
          {chosen.map((t, index) => (
            <BidRow
              key={t.asin}
              {...t}
              name={t.asin}
              detail={detail}
              market={market}
              onBid={bid => dispatch({ type: 'bidChanged', ...list, index, bid })}
              onRemove={() => dispatch({ type: 'itemRemoved', ...list, index })}
            />
          ))}
        </ul>
      </section>
      <AddTarget {...props} isAdded={isAdded} onAdd={target => add([target])} />
      <Recommended
        query={query}
        what="product targets"
        onAddAll={rest.length ? () => add(rest.map(fromRecommendation)) : null}
      >
        {themes =>
          themes.map(theme => (
            <section key={theme.theme} className="theme">
              <h4>{inWords(theme.theme)}</h4>
              {theme.description && <p className="muted small">{theme.description}</p>}
              <ul className="plain-list">
                {theme.asinBids.map(r => (
                  <RecommendedRow
                    key={r.asin}
                    {...r}
                    name={r.asin}
                    detail={detail}
                    currency={market.currency}
                    added={isAdded(r.asin)}
                    onAdd={() => add([fromRecommendation(r)])}
                  />
                ))}
              </ul>
            </section>
          ))
        }
      </Recommended>
    </>
  )
}

interface AddTargetProps extends ConfigureListProps {
  isAdded: (asin: string) => boolean
  onAdd: (target: WizardProductTarget) => void
}

const AddTarget = ({ state, dispatch, market, isAdded, onAdd }: AddTargetProps) => {
  const text = state.selectedProduct ?? ''
  const bid = state.productBid
  const parsed = v.safeParse(asinSchema, text)
  const fault = !parsed.success
    ? parsed.issues[0].message
    : isAdded(parsed.output)
      ? `${parsed.output} is in the list already.`
      : undefined
  const wrongBid = bidFault(bid, market) ?? undefined
  const set = (fields: { selectedProduct?: string | null; productBid?: number | null }) =>
    dispatch({ type: 'fieldsSet', fields })
  return (
    <form
      className="configure-section"
      noValidate
      onSubmit={event => {
        event.preventDefault()
        if (fault || wrongBid || !parsed.success || bid === null) return
        onAdd({ asin: parsed.output, bid })
        set({ selectedProduct: null })
      }}
    >
      <h3>Add a product</h3>
      <div className="field-pair">
        <TextField
          label="ASIN"
          name="asin"
          maxLength={10}
          value={text}
          onChange={value => set({ selectedProduct: value.toUpperCase() || null })}
          error={text ? fault : undefined}
          help="Exactly 10 letters and digits."
        />
        <MoneyField
          label="Bid"
          name="bid"
          currency={market.currency}
          value={bid}
          onChange={value => set({ productBid: value === null ? null : Math.max(0, value) })}
          error={bid === null ? undefined : wrongBid}
        />
      </div>
      <Button type="submit" block disabled={Boolean(fault ?? wrongBid)}>
        Add product target
      </Button>
    </form>
  )
}
