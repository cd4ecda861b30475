import { type ReactNode, useState } from 'react'
import { Sheet } from '#client/ui/overlays/sheet.tsx'
import { Button } from '#client/ui/states/button.tsx'
import { MAX_ASINS } from '#features/recommendations/contract.ts'
import { configurationOf, takesNegatives } from '../../rules.ts'
import { CAMPAIGN_KEY } from '../../wizard-state.ts'
import { ConfigureCategories } from './configure-categories.tsx'
import { ConfigureKeywords } from './configure-keywords.tsx'
import type { ConfigureListProps, ConfigureProps } from './configure-props.ts'
import { ConfigureTargets } from './configure-targets.tsx'
import { NegativeKeywords } from '../negatives/negative-keywords.tsx'
import { NEGATIVES_KEY, useClosedAtFirst, useConfigure } from './use-configure.ts'

const titles = { KEYWORDS: 'Keywords', CATEGORIES: 'Categories', PRODUCT_TARGETS: 'Product targets' } as const

/** One sheet more over step 4: what a product, or the whole campaign, is advertised on, or kept out of. */
export const ConfigureSheet = (props: ConfigureProps) => {
  const { state } = props
  const { key, close } = useConfigure()
  const [last, setLast] = useState(key)
  useClosedAtFirst(close)
  // While it sinks it goes on showing what it showed.
  if (key !== null && key !== last) setLast(key)
  const listKey = key ?? last
  if (listKey === null) return null
  const sheet = sheetOf(props, listKey)
  const title = sheet?.title ?? 'Targets'
  return (
    <Sheet
      // A dialog keeps the name it was made with.
      key={title}
      open={key !== null && sheet !== null}
      title={title}
      onClose={close}
      footer={
        <Button tone="primary" block onClick={close}>
          Done
        </Button>
      }
    >
      <p className="muted">{whoseWords(state, listKey)}</p>
      {sheet?.content}
    </Sheet>
  )
}

const whoseWords = ({ products }: ConfigureProps['state'], listKey: string): string => {
  if (listKey === NEGATIVES_KEY) return 'For every campaign and ad group of this launch'
  const product = products.find(p => p.asin === listKey)
  if (product) return product.title ?? product.asin
  const few = products.length > MAX_ASINS ? ` Recommendations are those for the first ${MAX_ASINS}.` : ''
  return `For all products of the campaign.${few}`
}

// Null where an address names what is not there.
const sheetOf = (props: ConfigureProps, listKey: string): { title: string; content: ReactNode } | null => {
  const { state, dispatch } = props
  if (listKey === NEGATIVES_KEY)
    return takesNegatives(state)
      ? { title: 'Negative keywords of the launch', content: <NegativeKeywords state={state} dispatch={dispatch} /> }
      : null
  const what = configurationOf(state)
  const product = state.products.find(p => p.asin === listKey)
  if (!what || (!product && listKey !== CAMPAIGN_KEY)) return null
  const asins = product ? [product.asin] : state.products.map(p => p.asin)
  return {
    title: titles[what],
    content: <Content key={listKey} what={what} {...props} listKey={listKey} asins={asins} />,
  }
}

const Content = ({ what, ...props }: ConfigureListProps & { what: keyof typeof titles }) => {
  if (what === 'KEYWORDS') return <ConfigureKeywords {...props} />
  return what === 'CATEGORIES' ? <ConfigureCategories {...props} /> : <ConfigureTargets {...props} />
}
