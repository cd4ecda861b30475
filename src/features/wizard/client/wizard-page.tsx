import { useSuspenseQuery } from '@tanstack/react-query'
import { useRouter } from '@tanstack/react-router'
import { useState } from 'react'
import { Page } from '#client/ui/ionic/page.tsx'
import { useSheetStep } from '#client/ui/overlays/use-sheet-step.ts'
import { Skeleton } from '#client/ui/states/skeleton.tsx'
import { accountQueries, useCurrentMarketplace } from '#features/accounts/client/public.ts'
import { LaunchWatch, useActiveLaunch } from '#features/launches/client/public.ts'
import { marketplaceById } from '#shared/marketplaces.ts'
import { STEP_COUNT } from '../wizard-state.ts'
import { DraftOffer } from './draft/draft-offer.tsx'
import { draftScope } from './draft/draft-keys.ts'
import { draftStore } from './draft/draft-store.ts'
import { OpenWizard } from './open-wizard.tsx'
import { openSteps } from './steps/open-steps.ts'
import { useDraft } from './draft/use-draft.ts'
import './wizard.css'
import './configure/configure.css'
import './products/products.css'

/** /create-campaign: five sheets, one draft for each advertising account. */
export const WizardPage = () => {
  const marketplace = useCurrentMarketplace()
  const { data: merchant } = useSuspenseQuery(accountQueries.currentMerchant())
  const launching = useActiveLaunch()
  const covered = useCovered(launching !== null && !launching.dismissed)
  const scope = draftScope(merchant?.id, marketplace.id)
  return (
    <>
      {/* The overlay of a launch takes the place of the sheets, which would hold the focus under it. */}
      {covered ? (
        <Page title="New campaign" back="/home">
          <p>Your campaign is being created.</p>
        </Page>
      ) : (
        <DraftedWizard key={scope} scope={scope} marketplaceId={marketplace.id} />
      )}
      <LaunchWatch />
    </>
  )
}

// A launch that ends or is dismissed leads to another page. A fresh wizard drawn in between would find itself on a step that it
// cannot reach, and its way back through the history would overtake that.
const useCovered = (launching: boolean): boolean => {
  const [covered, setCovered] = useState(launching)
  if (launching && !covered) setCovered(true)
  return covered
}

const DraftedWizard = ({ scope, marketplaceId }: { scope: string; marketplaceId: number }) => {
  const router = useRouter()
  const { step, go } = useSheetStep(STEP_COUNT)
  const [store] = useState(() => draftStore(scope))
  const [resume] = useState(step > 1)
  const wizard = useDraft(store, scope, resume)
  const market = marketplaceById(marketplaceId)
  if (!market) throw new Error(`There is no marketplace ${marketplaceId}`)
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
  return <OpenWizard wizard={wizard} store={store} market={market} step={step} go={go} />
}
