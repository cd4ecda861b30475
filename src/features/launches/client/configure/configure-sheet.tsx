import { configurationOf } from '../../problems.ts'
import { lazy, Suspense, useEffect, useState } from 'react'
import { whenIdle } from '#client/early/when-idle.ts'
import { Sheet } from '#client/ui/overlays/sheet.tsx'
import { Button } from '#client/ui/states/button.tsx'
import { Skeleton } from '#client/ui/states/state-views.tsx'
import { MAX_ASINS } from '#features/recommendations/contract.ts'
import { CAMPAIGN_KEY, takesNegatives } from '../../draft/wizard-state.ts'
import {
  type ConfigureProps,
  type ListEditorProps,
  type ListKind,
  NEGATIVES_KEY,
  useClosedAtFirst,
  useConfigure,
} from './use-configure.ts'

const titles: Record<ListKind, string> = {
  KEYWORDS: 'Keywords',
  CATEGORIES: 'Categories',
  PRODUCT_TARGETS: 'Product targets',
  NEGATIVES: 'Negative keywords of the launch',
}

// The editors are a third of the wizard's code, and needed only in step 4.
const loadList = () => import('./list-editors.tsx')
const ListEditor = lazy(() => loadList().then(m => ({ default: m.ListEditor })))

/** The sheet over step 4 with one list of a product or of the whole campaign. */
export function ConfigureSheet(props: ConfigureProps) {
  const { state } = props
  const { key, close } = useConfigure()
  const [last, setLast] = useState(key)
  useClosedAtFirst(close)
  useEffect(() => whenIdle(() => void loadList().catch(() => undefined)), [])
  // A closing sheet still shows its content.
  if (key !== null && key !== last) setLast(key)
  const listKey = key ?? last
  if (listKey === null) return null
  const list = listOf(props, listKey)
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
          <ListEditor key={listKey} {...list} />
        </Suspense>
      )}
    </Sheet>
  )
}

const scopeLabel = ({ products }: ConfigureProps['state'], listKey: string): string => {
  if (listKey === NEGATIVES_KEY) return 'For every campaign and ad group of this launch'
  const product = products.find(p => p.asin === listKey)
  if (product) return product.title ?? product.asin
  const few = products.length > MAX_ASINS ? ` Recommendations cover the first ${MAX_ASINS} of them.` : ''
  return `For all products of the campaign.${few}`
}

// Null when the address names a list that does not exist.
function listOf(props: ConfigureProps, listKey: string): (ListEditorProps & { kind: ListKind }) | null {
  const { state } = props
  const asinsOfAll = state.products.map(p => p.asin)
  if (listKey === NEGATIVES_KEY)
    return takesNegatives(state) ? { ...props, kind: 'NEGATIVES', listKey, asins: asinsOfAll } : null
  const kind = configurationOf(state)
  const product = state.products.find(p => p.asin === listKey)
  if (!kind || (!product && listKey !== CAMPAIGN_KEY)) return null
  return { ...props, kind, listKey, asins: product ? [product.asin] : asinsOfAll }
}
