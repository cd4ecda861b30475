import { imageOutline } from 'ionicons/icons'
import { type ReactNode, useState } from 'react'
import { formatMoney, formatNumber } from '#client/ui/figures/format.ts'
import { Icon } from '#client/ui/ionic/icon.tsx'
import { eligibilityWords } from '#features/catalogue/client/public.ts'
import type { InventoryProduct } from '#features/catalogue/contract.ts'

interface ProductLineProps {
  imageUrl: string | null
  name: string
  /** Shows at most three lines of the name. */
  isClamped?: boolean
  ids: string
  end?: ReactNode
  children?: ReactNode
}

export function ProductLine({ imageUrl, name, isClamped, ids, end, children }: ProductLineProps) {
  return (
    <div className="product">
      <ProductPicture url={imageUrl} />
      <div className="product-text">
        <strong {...(isClamped && { className: 'product-name', title: name })}>
          <bdi>{name}</bdi>
        </strong>
        <span className="muted small">{ids}</span>
        {children}
      </div>
      {end}
    </div>
  )
}

// Without a picture, a placeholder of the same size.
function ProductPicture({ url }: { url: string | null }) {
  const [failed, setFailed] = useState(false)
  if (!url || failed)
    return (
      <span className="product-picture">
        <Icon icon={imageOutline} />
      </span>
    )
  const onError = () => setFailed(true)
  return <img className="product-picture" src={url} alt="" width="56" height="56" loading="lazy" onError={onError} />
}

export function ProductFacts({ product }: { product: InventoryProduct }) {
  const { label, tone, reason } = eligibilityWords(product)
  const { customerPrice, customerCurrency, available } = product
  return (
    <>
      <span className="small">
        {customerPrice === null ? '–' : formatMoney(customerPrice, customerCurrency)} ·{' '}
        {available === null ? 'stock unknown' : `${formatNumber(available)} in stock`}
      </span>
      <span className={tone === 'danger' ? 'small danger' : 'small'}>
        <span className={tone === 'plain' ? 'tag' : `tag tag-${tone}`}>{label}</span> {reason}
      </span>
    </>
  )
}
