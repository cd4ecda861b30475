import { useSuspenseQuery } from '@tanstack/react-query'
import { getRouteApi, useRouter } from '@tanstack/react-router'
import { useState } from 'react'
import { Page } from '#client/ui/ionic/page.tsx'
import { useSheetStep } from '#client/ui/overlays/sheets/use-sheet-step.ts'
import { Skeleton } from '#client/ui/states/skeleton.tsx'
import { accountQueries, useCurrentMarketplace } from '#features/accounts/client/public.ts'
import { LaunchWatch, useActiveLaunch } from '../public.ts'
import { type MarketplaceFacts, marketplaceById } from '#shared/marketplaces.ts'
import { STEP_COUNT } from '../../draft/wizard-state.ts'
import { DraftOffer } from '../draft/draft-offer.tsx'
import { draftScope } from '../draft/draft-keys.ts'
import { draftStore } from '../draft/draft-store.ts'
import { useCovered } from '../launch/use-covered.ts'
import { OpenWizard } from './open-wizard.tsx'
import { type Opened, ReopenLaunch } from '../reopen/reopen-launch.tsx'
import { openSteps } from '../steps/open-steps.ts'
import { useDraft } from '../draft/use-draft.ts'
import { useToldAccount } from './use-told-account.ts'
import './wizard.css'
import '../configure/configure.css'
import '../products/products.css'

const route = getRouteApi('/action/create-campaign')

/** /create-campaign: five sheets, one draft for each advertising account. */
export const WizardPage = () => {
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
const useReopening = () => {
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

const DraftedWizard = ({ scope, market, opened }: DraftedWizardProps) => {
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
