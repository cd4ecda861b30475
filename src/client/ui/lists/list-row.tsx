import { Link } from '@tanstack/react-router'
import type { ReactNode } from 'react'

interface ListRowProps {
  title: ReactNode
  detail?: ReactNode
  /** At the end of the first line: a switch or a menu button. It stays outside the link. */
  end?: ReactNode
  figures?: ReactNode
  to?: string
  search?: Record<string, unknown>
  /** By which a SplitView finds the link again. */
  row?: number
}

export function ListRow({ title, detail, end, figures, to, search, row }: ListRowProps) {
  return (
    <article className="list-row">
      <div className="list-row-head">
        <div className="list-row-name">
          {to ? (
            <Link to={to} {...(search && { search })} className="list-row-link" data-row={row}>
              {title}
            </Link>
          ) : (
            <strong>{title}</strong>
          )}
          {detail && <div className="list-row-detail">{detail}</div>}
        </div>
        {end}
      </div>
      {figures && <div className="list-row-figures">{figures}</div>}
    </article>
  )
}
