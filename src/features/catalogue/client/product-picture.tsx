import { imageOutline } from 'ionicons/icons'
import { useState } from 'react'
import { Icon } from '#client/ui/ionic/icon.tsx'

interface ProductPictureProps {
  url: string | null
  /** What the product is called. */
  name: string
  large?: boolean
}

/** The picture of a product, or a quiet placeholder of the same size when there is none or it does not load. */
export function ProductPicture({ url, name, large = false }: ProductPictureProps) {
  const [failed, setFailed] = useState<string | null>(null)
  const size = large ? 96 : 56
  const className = large ? 'stock-picture stock-picture-large' : 'stock-picture'
  if (!url || failed === url)
    return (
      <span className={className}>
        <Icon icon={imageOutline} label={`No picture of ${name}`} />
      </span>
    )
  return (
    <img
      className={className}
      src={url}
      alt={`Product shot: ${name}`}
      width={size}
      height={size}
      loading="lazy"
      referrerPolicy="no-referrer"
      onError={() => setFailed(url)}
    />
  )
}
