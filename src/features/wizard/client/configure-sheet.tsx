import { useState } from 'react'
import { Sheet } from '#client/ui/overlays/sheet.tsx'
import { Button } from '#client/ui/states/button.tsx'
import { configurationOf } from '../rules.ts'
import { CAMPAIGN_KEY } from '../wizard-state.ts'
import { ConfigureCategories } from './configure-categories.tsx'
import { ConfigureKeywords } from './configure-keywords.tsx'
import type { ConfigureListProps, ConfigureProps } from './configure-props.ts'
import { ConfigureTargets } from './configure-targets.tsx'
import { useClosedAtFirst, useConfigure } from './use-configure.ts'

const titles = { KEYWORDS: 'Keywords', CATEGORIES: 'Categories', PRODUCT_TARGETS: 'Product targets' } as const

/** One sheet more over step 4: what a product, or the whole campaign, is advertised on. */
export const ConfigureSheet = (props: ConfigureProps) => {
  const { state } = props
  const { key, close } = useConfigure()
  const [last, setLast] = useState(key)
  useClosedAtFirst(close)
  // While it sinks it goes on showing what it showed.
  if (key !== null && key !== last) setLast(key)
  const what = configurationOf(state)
  const listKey = key ?? last
  const product = state.products.find(p => p.asin === listKey)
  const known = listKey === CAMPAIGN_KEY || product !== undefined
  const asins = product ? [product.asin] : state.products.map(p => p.asin)
  if (listKey === null) return null
  return (
    <Sheet
      open={key !== null && known && what !== null}
      title={what ? titles[what] : 'Targets'}
      onClose={close}
      footer={
        <Button tone="primary" block onClick={close}>
          Done
        </Button>
      }
    >
      <p className="muted">{product ? (product.title ?? product.asin) : 'For all products of the campaign'}</p>
      {what && known && <Content key={listKey} what={what} {...props} listKey={listKey} asins={asins} />}
    </Sheet>
  )
}

const Content = ({ what, ...props }: ConfigureListProps & { what: keyof typeof titles }) => {
  if (what === 'KEYWORDS') return <ConfigureKeywords {...props} />
  return what === 'CATEGORIES' ? <ConfigureCategories {...props} /> : <ConfigureTargets {...props} />
}
