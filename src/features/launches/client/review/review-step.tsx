import { useQuery } from '@tanstack/react-query'
import { type Dispatch, use, useId, useRef } from 'react'
import { formatNumber } from '#client/ui/figures/format.ts'
import { Card, KeyValue } from '#client/ui/lists/card.tsx'
import { SheetInUse } from '#client/ui/overlays/sheets/sheet-stack.tsx'
import { Button } from '#client/ui/states/button.tsx'
import type { Shop } from '#features/accounts/client/public.ts'
import { catalogueQueries, nameOf } from '#features/catalogue/client/public.ts'
import { type CreatePayloadInput, MAX_PRODUCTS } from '../../launch-schema.ts'
import type { LaunchPreview } from '../../review/preview-schema.ts'
import type { Notice } from '../../review/notices.ts'
import { payloadOf } from '../../draft/payload-of.ts'
import type { WizardProduct } from '../../draft/wizard-state.ts'
import { offerUndo } from '../lists/undo.tsx'
import { ProductFacts, ProductLine } from '../products/product-line.tsx'
import { MoreProducts, type StepProps } from '../steps/step-parts.tsx'
import type { WizardAction } from '../wizard/wizard-reducer.ts'
import { choicesOf } from '../wizard/wizard-summary.tsx'
import { Preview, usePreview } from './preview.tsx'

export function ReviewStep({ state, dispatch, market, shop, go }: StepProps & { go: (step: number) => void }) {
  const payload = payloadOf(state)
  if (!payload || !state.products.length) return null
  const { name, template, strategy, setup, budget, targetAcos } = choicesOf(state, market)
  return (
    <>
      <Card
        title="Campaign Summary"
        aside={
          <Button onClick={() => go(3)} aria-label="Change the campaign settings">
            Change
          </Button>
        }
      >
        <KeyValue items={[name, template, strategy, setup, budget, targetAcos]} />
      </Card>
      <Notices payload={payload} dispatch={dispatch} />
      <ReviewedProducts shop={shop} products={state.products} onChange={() => go(4)} />
      <Preview payload={payload} go={go} />
    </>
  )
}

// The notices come first, because they may change the seller's mind.
function Notices({ payload, dispatch }: { payload: CreatePayloadInput; dispatch: Dispatch<WizardAction> }) {
  const { data } = usePreview(payload)
  const place = useRef<HTMLDivElement>(null)
  const leaveOutRanking = () => {
    // The focused button disappears with its notice.
    place.current?.focus()
    dispatch({ type: 'fieldsSet', fields: { includeRanking: false } })
    offerUndo('ranking', 'Ranking is left out', () =>
      dispatch({ type: 'fieldsSet', fields: { includeRanking: true, budgetShares: payload.budgetShares ?? null } }),
    )
  }
  return (
    <div ref={place} tabIndex={-1} className="review-notices">
      {data && <WorthKnowing notices={data.notices} onLeaveOutRanking={leaveOutRanking} />}
    </div>
  )
}

const noticeLabels: Record<Notice['kind'], string> = {
  OVERLAP: 'Overlap',
  ABOVE_BREAK_EVEN: 'Break-even',
  RANKING_TOO_LOW: 'Ranking',
  SMALL_BUDGET: 'Budget',
  OUT_OF_STOCK: 'Out of stock',
  ELIGIBILITY: 'Eligibility',
  MANY_PRODUCTS: 'Many products',
  PLAN: 'Plan',
}

export function WorthKnowing(props: Pick<LaunchPreview, 'notices'> & { onLeaveOutRanking: () => void }) {
  const { notices, onLeaveOutRanking } = props
  const id = useId()
  if (!notices.length) return null
  return (
    <section className="card warnings" aria-labelledby={id}>
      <h2 id={id}>Worth knowing</h2>
      <ul className="plain-list">
        {notices.map(({ kind, message, details }) => (
          <li key={`${kind} ${message}`} className="notice">
            <span className="tag">{noticeLabels[kind]}</span>
            <p>{message}</p>
            <Details details={details} />
            {kind === 'RANKING_TOO_LOW' && <Button onClick={onLeaveOutRanking}>Leave Ranking out</Button>}
          </li>
        ))}
      </ul>
    </section>
  )
}

function Details({ details }: Pick<Notice, 'details'>) {
  if (!details.length) return null
  const list = (
    <ul className="small">
      {details.map(detail => (
        <li key={detail}>{detail}</li>
      ))}
    </ul>
  )
  // Hundreds of overlaps would push the rest of the review out of sight.
  if (details.length <= 3) return list
  return (
    <details className="fold">
      <summary>Show all {details.length}</summary>
      {list}
    </details>
  )
}

// A long list would push the rest of the review out of sight.
const shownAtOnce = 4

export function ReviewedProducts(props: { shop: Shop; products: readonly WizardProduct[]; onChange: () => void }) {
  const { shop, products, onChange } = props
  const asins = products.map(p => p.asin)
  const { data } = useQuery({
    ...catalogueQueries.inventoryPage(shop, { page: 0, size: MAX_PRODUCTS, search: '', asins }),
    enabled: use(SheetInUse),
  })
  const listed = new Map(data?.content.map(item => [item.sku, item]))
  const rows = products.map(({ asin, sku, title, imageUrl }) => {
    const item = listed.get(sku)
    return (
      <li key={asin}>
        <ProductLine
          imageUrl={item?.imageUrl ?? imageUrl}
          name={item ? nameOf(item) : (title ?? asin)}
          ids={`${asin} · ${sku}`}
        >
          {item && <ProductFacts product={item} />}
        </ProductLine>
      </li>
    )
  })
  return (
    <Card
      title={`Selected products (${formatNumber(products.length)})`}
      aside={
        <Button onClick={onChange} aria-label="Change the selected products">
          Change
        </Button>
      }
    >
      <ul className="plain-list">{rows.slice(0, shownAtOnce)}</ul>
      <MoreProducts count={rows.length - shownAtOnce}>
        <ul className="plain-list">{rows.slice(shownAtOnce)}</ul>
      </MoreProducts>
    </Card>
  )
}
