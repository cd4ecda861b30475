import { useSearch } from '@tanstack/react-router'
import { PageTabs } from '#client/ui/shell/navigation/page-tabs.tsx'
import { insightPages } from './insight-pages.ts'

const pages = insightPages.map(({ to, short }) => ({ to, label: short }))

/** The way to the other pages of insights, above each of them. The days go along. */
export function InsightSwitch() {
  const { days, from, to } = useSearch({ strict: false })
  return <PageTabs label="Insights" pages={pages} search={{ days, from, to }} />
}
