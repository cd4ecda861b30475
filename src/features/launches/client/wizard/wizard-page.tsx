import './wizard.css'
import '../configure/configure.css'
import '../products/products.css'
import { useSuspenseQuery } from '@tanstack/react-query'
import { getRouteApi, useRouter } from '@tanstack/react-router'
import { useState, useEffect, useEffectEvent, useRef } from 'react'
import { Page } from '#client/ui/ionic/page.tsx'
import { useSheetStep } from '#client/ui/overlays/sheets/use-sheet-step.ts'
import { Skeleton } from '#client/ui/states/state-views.tsx'
import { accountQueries, useCurrentMarketplace } from '#features/accounts/client/public.ts'
import { LaunchWatch } from '../launch-watch.tsx'
import { useActiveLaunch } from '../active-launch.ts'
import { type MarketplaceFacts, marketplaceById } from '#shared/marketplaces.ts'
import { STEP_COUNT } from '../../draft/wizard-state.ts'
import { DraftOffer } from '../draft/draft-offer.tsx'
import { draftScope } from '../draft/draft-keys.ts'
import { draftStore } from '../draft/draft-store.ts'
import { OpenWizard } from './open-wizard.tsx'
import { type Opened, ReopenLaunch } from '../reopen/reopen-launch.tsx'
import { openSteps } from './open-steps.ts'
import { useDraft } from '../draft/use-draft.ts'
import { toast } from '#client/ui/shell/toast-store.ts'

const route = getRouteApi('/action/create-campaign')

/** /create-campaign: five sheets, one draft for each advertising account. */
export function WizardPage() {
  const marketplace = useCurrentMarketplace()
  const { data: merchant } = useSuspenseQuery(accountQueries.currentMerchant())
  const launching = useActiveLaunch()
  const { launchId, opened, onOpened } = useReopening()
  const router = useRouter()
  const [own] = useState(router.state.location.pathname)
  const covered = useCovered({
    launching: launching !== null && !launching.dismissed,
    reopening: launchId !== undefined,
    stays: () => router.state.status === 'idle' && router.state.location.pathname === own,
  })
  const scope = draftScope(merchant?.id, marketplace.id)
  const market = marketplaceById(marketplace.id)
  if (!market) throw new Error(`There is no marketplace ${marketplace.id}`)
  useToldAccount(scope, `${merchant?.name ?? ''} · ${market.name}`)
  return (
    <>
      {/* The overlay of a launch takes the place of the sheets, which would hold the focus under it. */}
      {covered ? (
        <Page title="New campaign" back="/home">
          <p>Your campaign is being created.</p>
        </Page>
      ) : launchId !== undefined ? (
        <Page title="New campaign" back="/create-campaign-logs">
          {/* The question comes once the answers have, unasked. */}
          <div aria-live="polite">
            <ReopenLaunch key={`${scope} ${launchId}`} launchId={launchId} market={market} onOpened={onOpened} />
          </div>
        </Page>
      ) : (
        <DraftedWizard key={scope} scope={scope} market={market} opened={opened} />
      )}
      <LaunchWatch />
    </>
  )
}

// The launch that the address asks to be opened, until its draft is; the address follows a moment later.
function useReopening() {
  const { launch } = route.useSearch()
  const [opened, setOpened] = useState<Opened | null>(null)
  const [isArriving, setArriving] = useState(false)
  if (launch === undefined && isArriving) setArriving(false)
  const onOpened = (next: Opened): void => {
    setOpened(next)
    setArriving(true)
  }
  return { launchId: isArriving ? undefined : launch, opened, onOpened }
}

interface DraftedWizardProps {
  scope: string
  market: MarketplaceFacts
  opened: Opened | null
}

function DraftedWizard({ scope, market, opened }: DraftedWizardProps) {
  const router = useRouter()
  const { step, go } = useSheetStep(STEP_COUNT)
  const [store] = useState(() => draftStore(scope))
  const [resume] = useState(step > 1)
  const wizard = useDraft(store, scope, resume)
  if (wizard.phase === 'asking')
    return (
      <Page title="New campaign" back="/home">
        <Skeleton rows={3} label="Looking for a draft" />
      </Page>
    )
  if (wizard.phase === 'offering' && wizard.offered) {
    const { state } = wizard.offered
    const goOn = () => {
      wizard.goOn()
      openSteps(router, step, state.currentStep)
    }
    const startAnew = () => {
      wizard.startAnew()
      go(1)
    }
    return <DraftOffer draft={wizard.offered} onGoOn={goOn} onStartAnew={startAnew} />
  }
  const told = opened?.draftId === wizard.draftId ? opened.faults : undefined
  return <OpenWizard wizard={wizard} store={store} market={market} step={step} go={go} told={told} />
}

// Another merchant brings another marketplace a moment later.
const settledMs = 300

/**
 * Says that the wizard went over to another account. It has no switch of its own: that was done in another tab, and what
 * stood here would be gone without a word.
 */
export function useToldAccount(scope: string, name: string): void {
  const told = useRef(scope)
  const tell = useEffectEvent((now: string) => {
    if (told.current === now) return
    told.current = now
    toast({
      title: `Switched to ${name}`,
      message: 'The account was changed in another tab. Your draft for the previous account is saved.',
      tone: 'warning',
    })
  })
  useEffect(() => {
    const timer = setTimeout(() => tell(scope), settledMs)
    return () => clearTimeout(timer)
  }, [scope])
}

// Whoever is led away is gone by then, or on the way.
const lookAgainMs = 1000

interface Covering {
  /** A launch is followed by an overlay, in this tab or in another. */
  launching: boolean
  /** A launch is opened to be changed. */
  reopening: boolean
  /** True while nothing leads away from this page. */
  stays: () => boolean
}

/**
 * True while the overlay of a launch takes the place of the sheets, and until its end has led elsewhere: a fresh wizard drawn in
 * between would find itself on a step that it cannot reach, and its way back through the history would overtake that. A launch
 * whose end another tab has seen leads nowhere here; then the sheets come back.
 */
export function useCovered({ launching, reopening, stays }: Covering): boolean {
  const [covered, setCovered] = useState(launching)
  if (launching && !covered) setCovered(true)
  if (!launching && reopening && covered) setCovered(false)
  const look = useEffectEvent(() => stays() && setCovered(false))
  useEffect(() => {
    if (launching || !covered) return
    const timer = setInterval(() => look(), lookAgainMs)
    return () => clearInterval(timer)
  }, [launching, covered])
  return covered
}
