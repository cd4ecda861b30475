import { type ReactNode, useEffect, useRef } from 'react'
import { Figure } from '#client/ui/figures/figure.tsx'
import type { FigureKind } from '#client/ui/figures/format.ts'
import { Card, KeyValue } from '#client/ui/lists/card.tsx'
import type { InventoryProduct } from '../contract.ts'
import { CogsField } from './cogs-field.tsx'
import { CostHistory } from './cost-history.tsx'
import { EligibilityTag, ProductIds, ProductPicture } from './product-head.tsx'
import { nameOf, spoken, unknownBecause } from './product-words.ts'

interface ProductDetailProps {
  product: InventoryProduct
  /** It took the place of the list: its name takes the focus. */
  takesFocus: boolean
}

export function ProductDetail({ product, takesFocus }: ProductDetailProps) {
  const heading = useRef<HTMLHeadingElement>(null)
  useEffect(() => {
    if (!takesFocus) return
    // The page stands where the list was left.
    heading.current?.closest('article')?.scrollIntoView({ block: 'start' })
    heading.current?.focus({ preventScroll: true })
  }, [takesFocus])
  return (
    <article className="stock-detail">
      <Card>
        <div className="stock-head">
          <ProductPicture product={product} large />
          <div className="stock-text">
            <h2 ref={heading} tabIndex={-1} dir="auto">
              {nameOf(product)}
            </h2>
            <ProductIds product={product} />
            <EligibilityTag product={product} />
          </div>
        </div>
      </Card>
      <Card title="Price and cost">
        <KeyValue items={[{ label: 'Price', value: priceOf(product) }]} />
        <CogsField product={product} />
      </Card>
      <CostHistory product={product} />
      <Card title="Stock">
        <KeyValue items={stockItems(product)} />
      </Card>
      <Card title="Listing">
        <KeyValue
          items={[
            { label: 'Best seller rank', value: count(product.bestSellerRank, unknownBecause.bestSellerRank) },
            { label: 'Brand', value: text(product.brand) },
            { label: 'Category', value: text(product.category) },
            { label: 'Availability', value: text(product.availability && spoken(product.availability)) },
            { label: 'Condition', value: text(product.condition && spoken(product.condition)) },
            { label: 'FNSKU', value: text(product.fnsku) },
          ]}
        />
      </Card>
    </article>
  )
}

function figure(value: number | null, kind: FigureKind, reason: string, currency?: string): ReactNode {
  return <Figure value={value} kind={kind} reason={reason} {...(currency && { currency })} />
}
const count = (value: number | null, reason: string): ReactNode => figure(value, 'count', reason)
const text = (value: string | null): ReactNode =>
  value ? <bdi>{value}</bdi> : figure(null, 'count', unknownBecause.text)
const priceOf = ({ customerPrice, customerCurrency }: InventoryProduct): ReactNode =>
  figure(customerPrice, 'money', unknownBecause.customerPrice, customerCurrency)

function stockItems(product: InventoryProduct): { label: string; value: ReactNode }[] {
  const stock: [label: string, value: number | null][] = [
    ['Available', product.available],
    ['Reserved', product.reservedQuantity],
    ['Inbound', product.inboundQuantity],
    ['Inbound, being prepared', product.inboundWorking],
    ['Inbound, on its way', product.inboundShipped],
    ['Inbound, being received', product.inboundReceived],
    ['Unfulfillable', product.unfulfillableQuantity],
    ['Pending removal', product.pendingRemovalQuantity],
  ]
  const cover = { label: 'Days of cover', value: count(product.coverDays ?? null, unknownBecause.coverDays) }
  return [cover, ...stock.map(([label, value]) => ({ label, value: count(value, unknownBecause.stock) }))]
}
