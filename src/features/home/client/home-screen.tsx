import type { ComponentProps, ReactNode } from 'react'
import { DataAge, MovingNote } from '#client/ui/figures/data-age.tsx'
import { ContextBar } from '#client/ui/filters/context-bar.tsx'
import { resolveRange } from '#client/ui/forms/date-range.ts'
import { Page } from '#client/ui/ionic/page.tsx'
import './home.css'

interface HomeScreenProps {
  /** Of the cards; undefined until they have arrived. */
  freshness: { asOf: string | null; movingFrom: string | null } | undefined
  account: ReactNode
  days: NonNullable<ComponentProps<typeof ContextBar>['days']>
  onRefresh: () => Promise<unknown>
  children: ReactNode
}

/** Home around its content. It asks for nothing: the program of the first screen draws it too, before the app is there. */
export function HomeScreen({ freshness, account, days, onRefresh, children }: HomeScreenProps) {
  const { to } = resolveRange(days.search, days.today)
  return (
    <Page
      title="Home"
      status={
        <>
          <DataAge at={freshness?.asOf} />
          <MovingNote movingFrom={freshness?.movingFrom ?? null} to={to} />
        </>
      }
      toolbar={<ContextBar account={account} days={days} />}
      onRefresh={onRefresh}
      wide
    >
      {children}
    </Page>
  )
}
