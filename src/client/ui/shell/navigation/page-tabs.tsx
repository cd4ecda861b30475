import './page-tabs.css'
import { Link } from '@tanstack/react-router'

interface PageTabsProps {
  label: string
  pages: readonly { to: string; label: string }[]
  /** What goes along of the address. */
  search?: object
}

/** The way to the pages next to this one, in a line above each of them. */
export function PageTabs({ label, pages, search = {} }: PageTabsProps) {
  return (
    <nav className="page-tabs" aria-label={label}>
      {pages.map(page => (
        <Link key={page.to} to={page.to} search={search} activeOptions={{ includeSearch: false }}>
          {page.label}
        </Link>
      ))}
    </nav>
  )
}
