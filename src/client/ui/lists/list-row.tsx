import { Link } from '@tanstack/react-router'
import type { ReactNode } from 'react'

interface ListRowProps {
  title: ReactNode
  /** Below the title: state, product, dates. */
  detail?: ReactNode
  /** At the end of the first line: a switch or a menu button. It stays outside the link. */
  end?: ReactNode
  /** Figures of the row, usually three Metrics. */
  figures?: ReactNode
  /** Where the row leads. */
  to?: string
  search?: Record<string, unknown>
  /** By which a SplitView finds the link again. */
  row?: number
}

/** A row that is a card on a phone: what it is, its figures, what can be done with it. */
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
