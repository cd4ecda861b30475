import './wizard.css'
import '../lists/lists.css'
import '../products/products.css'
import { useQuery, useSuspenseQuery } from '@tanstack/react-query'
import { getRouteApi, useRouter } from '@tanstack/react-router'
import { useEffect, useEffectEvent, useRef, useState } from 'react'
import { Page } from '#client/ui/ionic/page.tsx'
import { useSheetStep } from '#client/ui/overlays/sheets/use-sheet-step.ts'
import { toast } from '#client/ui/shell/toast-store.ts'
import { Skeleton } from '#client/ui/states/state-views.tsx'
import { accountQueries, useCurrentMarketplace, useShop } from '#features/accounts/client/public.ts'
import { type MarketplaceFacts, marketplaceById } from '#shared/marketplaces.ts'
import { catalogueQueries } from '#features/catalogue/client/public.ts'
import { hasProgress } from '../../draft/rules.ts'
import { productOf, STEP_COUNT } from '../../draft/wizard-state.ts'
import { useActiveLaunch } from '../active-launch.ts'
import { draftScope } from '../draft/draft-keys.ts'
import { DraftOffer } from '../draft/draft-offer.tsx'
import { draftStore } from '../draft/draft-store.ts'
import { useDraft } from '../draft/use-draft.ts'
import { LaunchWatch } from '../launch-watch.tsx'
import { type Opened, openSteps, ReopenLaunch } from '../reopen/reopen-launch.tsx'
import { OpenWizard } from './open-wizard.tsx'
import { useLater } from './use-later.ts'

const route = getRouteApi('/action/create-campaign')

export function WizardPage() {
  const marketplace = useCurrentMarketplace()
  const { data: merchant } = useSuspenseQuery(accountQueries.currentMerchant())
  const launching = useActiveLaunch()
  const { launchId, opened, onOpened } = useReopening()
  const router = useRouter()
  const [initialPath] = useState(router.state.location.pathname)
  const covered = useCovered({
    launching: launching !== null && !launching.dismissed,
    reopening: launchId !== undefined,
    stays: () => router.state.status === 'idle' && router.state.location.pathname === initialPath,
  })
  const scope = draftScope(merchant?.id, marketplace.id)
  const market = marketplaceById(marketplace.id)
  if (!market) throw new Error(`There is no marketplace ${marketplace.id}`)
  useAccountNotice(scope, `${merchant?.name ?? ''} · ${market.name}`)
  return (
    <>
      {/* The overlay of a launch replaces the sheets, which would keep the focus below it. */}
      {covered ? (
        <Page title="New campaign" back="/home">
          <p>Your campaign is being created.</p>
        </Page>
      ) : launchId !== undefined ? (
        <Page title="New campaign" back="/create-campaign-logs">
          <div aria-live="polite">
            <ReopenLaunch key={`${scope} ${launchId}`} launchId={launchId} market={market} onOpened={onOpened} />
          </div>
        </Page>
      ) : (
        <WizardWithDraft key={scope} scope={scope} market={market} opened={opened} />
      )}
      <LaunchWatch />
    </>
  )
}

// The launch in the address, until its draft is open. The address changes a moment after that.
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

function WizardWithDraft(props: { scope: string; market: MarketplaceFacts; opened: Opened | null }) {
  const { scope, market, opened } = props
  const router = useRouter()
  const { step, go } = useSheetStep(STEP_COUNT)
  const [store] = useState(() => draftStore(scope))
  const [resume] = useState(step > 1)
  const wizard = useDraft(store, scope, resume)
  useFirstProduct(wizard)
  if (wizard.phase === 'loading')
    return (
      <Page title="New campaign" back="/home">
        <Skeleton rows={3} label="Looking for a draft" />
      </Page>
    )
  if (wizard.phase === 'offering' && wizard.offered) {
    const { state } = wizard.offered
    const continueDraft = () => {
      wizard.continueDraft()
      openSteps(router, step, state.currentStep)
    }
    const startOver = () => {
      wizard.discard()
      go(1)
    }
    return <DraftOffer draft={wizard.offered} onContinue={continueDraft} onStartOver={startOver} />
  }
  const initialProblems = opened?.draftId === wizard.draftId ? opened.problems : undefined
  return <OpenWizard wizard={wizard} {...{ store, market, step, go, initialProblems }} />
}

// A wizard that was opened for a product begins with it, unless the user continues another campaign.
function useFirstProduct({ phase, state, dispatch }: ReturnType<typeof useDraft>): void {
  const { product: asin } = route.useSearch()
  const shop = useShop()
  // Decided as the wizard opens: what is chosen until the product has come does not take it away.
  const [isNew, setNew] = useState<boolean | null>(null)
  if (isNew === null && phase === 'open') setNew(!hasProgress(state))
  const isForProduct = asin !== undefined && isNew === true
  const filter = { page: 0, size: 20, search: '', asins: [asin ?? ''] }
  const { data } = useQuery({ ...catalogueQueries.inventoryPage(shop, filter), enabled: isForProduct })
  const listed = isForProduct ? data?.content.find(one => one.asin === asin) : undefined
  const product = listed && productOf(listed)
  const isAdded = useRef(false)
  const add = useEffectEvent(() => {
    if (!product || isAdded.current) return
    isAdded.current = true
    dispatch({ type: 'productAdded', product })
    toast({
      title: 'Your product is chosen',
      message: `${product.title ?? product.asin}. Choose a template to continue.`,
    })
  })
  useEffect(() => add(), [product?.asin])
}

export function useAccountNotice(scope: string, name: string): void {
  const announced = useRef(scope)
  // The marketplace changes a moment after the merchant.
  useLater(scope, 300, () => {
    if (announced.current === scope) return
    announced.current = scope
    toast({
      title: `Switched to ${name}`,
      message: 'The account was changed in another tab. Your draft for the previous account is saved.',
      tone: 'warning',
    })
  })
}

/**
 * True while the overlay of a launch (`launching`, in any tab) covers the sheets, and until the end of the launch has led to
 * another page: a fresh wizard in between would be on a step that it cannot reach, and its navigation back would interfere. When
 * another tab handles the end of the launch, nothing leads away from here (`stays`), and the sheets come back; so do they when
 * the user opens a launch to change it.
 */
export function useCovered(props: { launching: boolean; reopening: boolean; stays: () => boolean }): boolean {
  const { launching, reopening, stays } = props
  const [covered, setCovered] = useState(launching)
  if (launching && !covered) setCovered(true)
  if (!launching && reopening && covered) setCovered(false)
  const check = useEffectEvent(() => stays() && setCovered(false))
  useEffect(() => {
    if (launching || !covered) return
    // By then a user who is led away has left, or is leaving.
    const timer = setInterval(() => check(), 1000)
    return () => clearInterval(timer)
  }, [launching, covered])
  return covered
}
