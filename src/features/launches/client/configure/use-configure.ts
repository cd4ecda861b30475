import { useLocation, useRouter } from '@tanstack/react-router'
import { type Dispatch, useEffect, useEffectEvent } from 'react'
import type { MarketplaceFacts } from '#shared/marketplaces.ts'
import type { WizardState } from '../../draft/wizard-state.ts'
import type { WizardAction } from '../wizard/wizard-reducer.ts'

const param = 'configure'

/** The key of the sheet of negative keywords; other keys are ASINs and CAMPAIGN_KEY. */
export const NEGATIVES_KEY = 'negatives'

export type ListKind = 'KEYWORDS' | 'CATEGORIES' | 'PRODUCT_TARGETS' | 'NEGATIVES'

export interface ConfigureProps {
  state: WizardState
  dispatch: Dispatch<WizardAction>
  market: MarketplaceFacts
}
export interface ListEditorProps extends ConfigureProps {
  /** An ASIN, or CAMPAIGN_KEY. */
  listKey: string
  /** The products to get recommendations for. */
  asins: string[]
}

interface ConfigureHistory {
  sheets?: number
  /** True when `open` pushed the address, so that closing can go back. */
  configure?: boolean
}

const read = (searchText: string): string | null => new URLSearchParams(searchText).get(param)

/**
 * The open list, stored in the address so that the back button closes it. `key` names the product or the campaign; null while
 * no list is open.
 */
export function useConfigure() {
  const router = useRouter()
  const key = useLocation({ select: location => read(location.searchStr) })
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

/** Closes the sheet after a reload, because it cannot open above a stack of sheets that is still opening. */
export function useClosedAtFirst(close: () => void): void {
  const closeOnce = useEffectEvent(close)
  useEffect(() => closeOnce(), [])
}
