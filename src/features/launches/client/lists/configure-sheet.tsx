import { useLocation, useRouter } from '@tanstack/react-router'
import { lazy, Suspense, useEffect, useEffectEvent, useState } from 'react'
import { whenIdle } from '#client/early/when-idle.ts'
import { Sheet } from '#client/ui/overlays/sheet.tsx'
import { Button } from '#client/ui/states/button.tsx'
import { Skeleton } from '#client/ui/states/state-views.tsx'
import { MAX_ASINS } from '#features/recommendations/contract.ts'
import { CAMPAIGN_KEY, takesNegatives, type WizardState } from '../../draft/wizard-state.ts'
import { configurationOf } from '../../problems.ts'
import type { ListEditorProps } from './edit-list.ts'
import type { ListKind } from './list-editors.tsx'

/** The key of the sheet of negative keywords; other keys are ASINs and CAMPAIGN_KEY. */
export const NEGATIVES_KEY = 'negatives'

const titles: Record<ListKind, string> = {
  KEYWORDS: 'Keywords',
  CATEGORIES: 'Categories',
  PRODUCT_TARGETS: 'Product targets',
  NEGATIVES: 'Negative keywords of the launch',
}

// The editors are a third of the wizard's code, and needed only in step 4.
const loadList = () => import('./list-editors.tsx')
const ListEditor = lazy(() => loadList().then(m => ({ default: m.ListEditor })))

export function ConfigureSheet(props: Omit<ListEditorProps, 'listKey' | 'asins'>) {
  const { state } = props
  const { key, close } = useConfigure()
  const [last, setLast] = useState(key)
  // After a reload the sheet cannot open above a stack of sheets that is still opening.
  const closeOnce = useEffectEvent(close)
  useEffect(() => closeOnce(), [])
  useEffect(() => whenIdle(() => void loadList().catch(() => undefined)), [])
  // A closing sheet still shows its content.
  if (key !== null && key !== last) setLast(key)
  const listKey = key ?? last
  if (listKey === null) return null
  const list = listOf(state, listKey)
  const title = list ? titles[list.kind] : 'Targets'
  return (
    <Sheet
      // A dialog does not update its name.
      key={title}
      open={key !== null && list !== null}
      title={title}
      onClose={close}
      footer={
        <Button tone="primary" block onClick={close}>
          Done
        </Button>
      }
    >
      <p className="muted">{scopeLabel(state, listKey)}</p>
      {list && (
        <Suspense fallback={<Skeleton rows={4} label={`Loading ${title.toLowerCase()}`} />}>
          <ListEditor key={listKey} {...props} listKey={listKey} {...list} />
        </Suspense>
      )}
    </Sheet>
  )
}

const scopeLabel = ({ products }: WizardState, listKey: string): string => {
  if (listKey === NEGATIVES_KEY) return 'For every campaign and ad group of this launch'
  const product = products.find(p => p.asin === listKey)
  if (product) return product.title ?? product.asin
  const few = products.length > MAX_ASINS ? ` Recommendations cover the first ${MAX_ASINS} of them.` : ''
  return `For all products of the campaign.${few}`
}

// Null when the address names a list that does not exist.
function listOf(state: WizardState, listKey: string): { kind: ListKind; asins: string[] } | null {
  const asins = state.products.map(p => p.asin)
  if (listKey === NEGATIVES_KEY) return takesNegatives(state) ? { kind: 'NEGATIVES', asins } : null
  const kind = configurationOf(state)
  const isProduct = asins.includes(listKey)
  if (!kind || (!isProduct && listKey !== CAMPAIGN_KEY)) return null
  return { kind, asins: isProduct ? [listKey] : asins }
}

const param = 'configure'

/** `configure` is true when `open` pushed the address, so that closing can go back. */
type ConfigureHistory = { sheets?: number; configure?: boolean }

/**
 * The open list, stored in the address so that the back button closes it. `key` names the product or the campaign; null while
 * no list is open.
 */
export function useConfigure() {
  const router = useRouter()
  const key = useLocation({ select: location => new URLSearchParams(location.searchStr).get(param) })
  const open = (next: string): void => {
    const { pathname, searchStr, state } = router.state.location
    const search = new URLSearchParams(searchStr)
    search.set(param, next)
    const history: ConfigureHistory = { ...(state as ConfigureHistory), configure: true }
    router.history.push(`${pathname}?${search.toString()}`, history)
  }
  const close = (): void => {
    const { pathname, searchStr, state } = router.state.location
    const search = new URLSearchParams(searchStr)
    if (!search.has(param)) return
    if ((state as ConfigureHistory).configure) return router.history.back()
    search.delete(param)
    router.history.replace(`${pathname}?${search.toString()}`, state)
  }
  return { key, open, close }
}
