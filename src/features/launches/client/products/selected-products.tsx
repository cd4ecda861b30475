import { trashOutline } from 'ionicons/icons'
import { useRef } from 'react'
import { Icon } from '#client/ui/ionic/icon.tsx'
import { ScrollList } from '#client/ui/lists/scroll-list.tsx'
import { Button } from '#client/ui/states/button.tsx'
import { isMultiProduct, type WizardProduct, type WizardState } from '../../draft/wizard-state.ts'
import { configurationOf } from '../../problems.ts'
import { listFacts } from '../lists/list-changes.ts'
import { ListHeading } from '../lists/undo.tsx'
import { MoreProducts, ProblemNote } from '../steps/step-parts.tsx'
import { ProductLine } from './product-line.tsx'

/** Names the list for `offerUndo`. */
export const productsScope = 'products'

interface SelectedProductsProps {
  state: WizardState
  error: string | undefined
  onRemove: (asin: string) => void
  onConfigure: (asin: string) => void
}

// A long list would push the available products out of sight.
const shownAtOnce = 4

export function SelectedProducts({ state, error, onRemove, onConfigure }: SelectedProductsProps) {
  const heading = useRef<HTMLHeadingElement>(null)
  const { products } = state
  const rest = products.slice(shownAtOnce)
  const title = `Selected Products (${products.length})`
  const remove = (asin: string) => {
    onRemove(asin)
    // The focused button disappears with its row.
    heading.current?.focus()
  }
  const row = (product: WizardProduct) => (
    <SelectedRow state={state} product={product} onConfigure={onConfigure} onRemove={remove} />
  )
  return (
    <section className="card" aria-label={title}>
      <ListHeading heading={heading} level="h2" scope={productsScope} title={title} />
      <ProblemNote>{error}</ProblemNote>
      {products.length > 0 ? (
        <ul className="plain-list" aria-label="Selected products">
          {products.slice(0, shownAtOnce).map(product => (
            <li key={product.asin}>{row(product)}</li>
          ))}
        </ul>
      ) : (
        <p className="muted">Select a product below.</p>
      )}
      <MoreProducts count={rest.length}>
        <ScrollList
          count={rest.length}
          itemKey={index => rest[index]?.asin ?? index}
          label="More selected products"
          estimate={96}
        >
          {index => rest[index] && row(rest[index])}
        </ScrollList>
      </MoreProducts>
    </section>
  )
}

interface SelectedRowProps extends Omit<SelectedProductsProps, 'error'> {
  product: WizardProduct
}

function SelectedRow({ state, product, onRemove, onConfigure }: SelectedRowProps) {
  const { asin, sku, title, imageUrl } = product
  const name = title ?? asin
  const list = isMultiProduct(state.template) ? null : configuredList(state, asin)
  return (
    <ProductLine
      imageUrl={imageUrl}
      name={name}
      ids={`${asin} · ${sku}${list ? ` · ${list.count}` : ''}`}
      end={
        <button type="button" className="icon-button" aria-label={`Remove ${name}`} onClick={() => onRemove(asin)}>
          <Icon icon={trashOutline} />
        </button>
      }
    >
      {list && <Button onClick={() => onConfigure(asin)}>{list.button}</Button>}
    </ProductLine>
  )
}

const configuredLists = { KEYWORDS: 'keywords', CATEGORIES: 'categories', PRODUCT_TARGETS: 'productTargets' } as const

/** The list that the user configures for a product or the campaign: its count ("3 keywords") and button; null without one. */
export function configuredList(state: WizardState, key: string): { count: string; button: string } | null {
  const what = configurationOf(state)
  if (!what) return null
  const { one, several } = listFacts[configuredLists[what]]
  const count = state[configuredLists[what]][key]?.length ?? 0
  return { count: `${count} ${count === 1 ? one : several}`, button: `Configure ${several}` }
}
