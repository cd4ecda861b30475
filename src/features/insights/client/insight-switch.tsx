import './insights.css'
import { Link, useSearch } from '@tanstack/react-router'
import { insightPages } from './insight-pages.ts'

/** The way to the other pages of insights, above each of them. The days go along. */
export function InsightSwitch() {
  const { days, from, to: end } = useSearch({ strict: false })
  return (
    <nav className="insight-switch" aria-label="Insights">
      {insightPages.map(({ to, short }) => (
        <Link key={to} to={to} search={{ days, from, to: end }} activeOptions={{ includeSearch: false }}>
          {short}
        </Link>
      ))}
    </nav>
  )
}
