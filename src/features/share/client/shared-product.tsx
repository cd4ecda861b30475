import { Link } from '@tanstack/react-router'
import { formatMoney } from '#client/ui/figures/format.ts'
import { Button } from '#client/ui/states/button.tsx'
import { useCurrentMarketplace } from '#features/accounts/client/public.ts'
import { eligibilityWords, nameOf } from '#features/catalogue/client/public.ts'
import type { InventoryProduct } from '#features/catalogue/contract.ts'
import type { MarketplaceFacts } from '#shared/marketplaces.ts'
import { readSharedLink } from '#shared/product-link.ts'
import { linkProblem } from './link-problem.ts'

export interface ProductActions {
  target: (asin: string) => void
  exclude: (asin: string) => void
}

interface SharedProductProps {
  text: string
  /** The seller's own product with this ASIN; undefined when it is none, or not known. */
  productOf: (asin: string) => InventoryProduct | undefined
  /** The catalogue was asked: a product that is not in it is not the seller's. */
  isChecked: boolean
  online: boolean
  actions: ProductActions
}

/** One thing that was shared: the product with what can be made of it, or why it is none. */
export function SharedProduct({ text, productOf, isChecked, online, actions }: SharedProductProps) {
  const link = readSharedLink(text)
  if (link.found !== 'PRODUCT')
    return (
      <div className="shared-product">
        <p className="shared-head muted">{text.slice(0, 200)}</p>
        <p>{linkProblem(link, text)}</p>
      </div>
    )
  const { asin, marketplace } = link
  const product = productOf(asin)
  return (
    <div className="shared-product">
      <ProductHead asin={asin} title={titleIn(text)} product={product} isChecked={isChecked} />
      <OtherMarketplace of={marketplace} />
      {!online && <p>You are offline. It is kept on this device; what you choose now is sent once you are online.</p>}
      <div className="button-row">
        {product && <OwnProduct asin={asin} product={product} />}
        <Button tone={product ? 'quiet' : 'accent'} onClick={() => actions.target(asin)}>
          Target it
        </Button>
        <Button onClick={() => actions.exclude(asin)}>Exclude it</Button>
      </div>
    </div>
  )
}

/** What comes first for one's own product: to advertise it, or what keeps it from that. */
function OwnProduct({ asin, product }: { asin: string; product: InventoryProduct }) {
  const { productId, spEligibilityStatus } = product
  return spEligibilityStatus === 'INELIGIBLE' ? (
    <Link to={'/inventory' as string} search={{ product: productId }} className="button button-accent">
      Show in inventory
    </Link>
  ) : (
    <Link to="/create-campaign" search={{ product: asin }} className="button button-accent">
      Start a campaign
    </Link>
  )
}

function ProductHead(props: {
  asin: string
  title: string | null
  product: InventoryProduct | undefined
  isChecked: boolean
}) {
  const { asin, title, product, isChecked } = props
  if (!product)
    return (
      <div className="shared-head">
        <div>
          <strong>{title ?? asin}</strong>
          {title && <span className="muted small">{asin}</span>}
          <span className="small">
            {isChecked
              ? 'Not one of your products here: you can target its page, or keep your ads away from it.'
              : 'Whether it is one of your products is not known yet.'}
          </span>
        </div>
      </div>
    )
  const { imageUrl, sku, customerPrice, customerCurrency } = product
  const { label, tone, reason } = eligibilityWords(product)
  return (
    <div className="shared-head">
      {imageUrl && <img src={imageUrl} alt="" width="56" height="56" />}
      <div>
        <strong>{nameOf(product)}</strong>
        <span className="muted small">{`${asin} · ${sku}`}</span>
        <span className="small">
          {`Your product · ${customerPrice === null ? 'no price' : formatMoney(customerPrice, customerCurrency)} `}
          <span className={tone === 'plain' ? 'tag' : `tag tag-${tone}`}>{label}</span> {reason}
        </span>
      </div>
    </div>
  )
}

// A product may be sold in several marketplaces, with the same ASIN or not.
function OtherMarketplace({ of }: { of: MarketplaceFacts | null }) {
  const current = useCurrentMarketplace()
  if (!of || of.id === current.id) return null
  return (
    <p className="field-error">
      {`This page is of ${of.name}, and you are working in ${current.name}. Switch the marketplace above, unless the product is sold in both.`}
    </p>
  )
}

// What the browser sends with an address is mostly the name of the page.
function titleIn(text: string): string | null {
  const lines = text.split('\n').map(line => line.replaceAll(/https?:\/\/\S+/g, '').trim())
  const longest = lines.toSorted((a, b) => b.length - a.length)[0] ?? ''
  return longest.length > 12 ? longest.slice(0, 150) : null
}
