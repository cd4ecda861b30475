import { imageOutline } from 'ionicons/icons'
import { useState } from 'react'
import { Icon } from '#client/ui/ionic/icon.tsx'

/** The picture of a product, or a placeholder of the same size. */
export function ProductPicture({ url }: { url: string | null }) {
  const [failed, setFailed] = useState(false)
  if (!url || failed)
    return (
      <span className="product-picture">
        <Icon icon={imageOutline} />
      </span>
    )
  return (
    <img
      className="product-picture"
      src={url}
      alt=""
      width="56"
      height="56"
      loading="lazy"
      onError={() => setFailed(true)}
    />
  )
}
