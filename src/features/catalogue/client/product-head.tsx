import { Link } from '@tanstack/react-router'
import { imageOutline } from 'ionicons/icons'
import { type ReactNode, type Ref, useState } from 'react'
import { Icon } from '#client/ui/ionic/icon.tsx'
import type { InventoryProduct } from '../contract.ts'
import type { InventorySearch } from './inventory-search.ts'
import { eligibilityWords, nameOf } from './product-words.ts'

/** The picture of a product, or a quiet placeholder of the same size when there is none or it does not load. */
export function ProductPicture({ product, large = false }: { product: InventoryProduct; large?: boolean }) {
  const { imageUrl: url } = product
  const [failed, setFailed] = useState<string | null>(null)
  const size = large ? 96 : 56
  const className = large ? 'stock-picture stock-picture-large' : 'stock-picture'
  if (!url || failed === url)
    return (
      <span className={className}>
        <Icon icon={imageOutline} label={`No picture of ${nameOf(product)}`} />
      </span>
    )
  return (
    <img
      className={className}
      src={url}
      alt={`Product shot: ${nameOf(product)}`}
      width={size}
      height={size}
      loading="lazy"
      referrerPolicy="no-referrer"
      onError={() => setFailed(url)}
    />
  )
}

interface ProductLinkProps {
  product: InventoryProduct
  search: InventorySearch
  replace?: boolean
  resetScroll: boolean
  'aria-current'?: boolean | undefined
  ref?: Ref<HTMLAnchorElement> | undefined
}

export function ProductLink({ product, search, ...rest }: ProductLinkProps) {
  return (
    <Link
      to="/inventory"
      search={{ ...search, product: product.productId }}
      className="stock-link"
      data-row={product.productId}
      {...rest}
    >
      <bdi>{nameOf(product)}</bdi>
    </Link>
  )
}

export function ProductIds({ product, children }: { product: InventoryProduct; children?: ReactNode }) {
  return (
    <p className="stock-ids">
      <bdi>{product.asin ?? 'no ASIN'}</bdi> · <bdi>{product.sku}</bdi>
      {children}
    </p>
  )
}

export function EligibilityTag({ product }: { product: InventoryProduct }) {
  const { label, tone, reason } = eligibilityWords(product)
  return (
    <div className="eligibility">
      <span className={tone === 'plain' ? 'tag' : `tag tag-${tone}`}>{label}</span>
      {reason && (
        <span className="eligibility-reason" dir="auto">
          {reason}
        </span>
      )}
    </div>
  )
}
