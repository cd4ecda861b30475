import { Link } from '@tanstack/react-router'
import { imageOutline } from 'ionicons/icons'
import { useState } from 'react'
import { Icon } from '#client/ui/ionic/icon.tsx'
import type { AsinRow } from '../../asin-contract.ts'
import type { AsinSearch } from './asin-search.ts'

export const nameOfAsin = ({ title, asin }: Pick<AsinRow, 'title' | 'asin'>): string => title ?? asin

interface AsinNameProps {
  row: AsinRow
  search: AsinSearch
}

/** A product's picture and name, which opens it. */
export function AsinName({ row, search }: AsinNameProps) {
  return (
    <div className="asin-name">
      <AsinPicture row={row} />
      <div>
        <Link to="/insights/asin-performance" search={{ ...search, asin: row.asin }} data-row={row.asin}>
          <bdi>{nameOfAsin(row)}</bdi>
        </Link>
        <p>
          <bdi>{row.asin}</bdi>
        </p>
      </div>
    </div>
  )
}

function AsinPicture({ row: { imageUrl } }: { row: AsinRow }) {
  const [failed, setFailed] = useState<string | null>(null)
  if (!imageUrl || failed === imageUrl)
    return (
      <span className="asin-picture" aria-hidden="true">
        <Icon icon={imageOutline} />
      </span>
    )
  return (
    <img
      className="asin-picture"
      src={imageUrl}
      alt=""
      width={40}
      height={40}
      loading="lazy"
      referrerPolicy="no-referrer"
      onError={() => setFailed(imageUrl)}
    />
  )
}
