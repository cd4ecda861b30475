import type { Dispatch } from 'react'
import type { MarketplaceFacts } from '#shared/marketplaces.ts'
import type { WizardState } from '../../draft/wizard-state.ts'
import type { WizardAction } from '../wizard/state.ts'

export interface ConfigureProps {
  state: WizardState
  dispatch: Dispatch<WizardAction>
  market: MarketplaceFacts
}
export interface ConfigureListProps extends ConfigureProps {
  /** An ASIN, or CAMPAIGN_KEY. */
  listKey: string
  /** The products that recommendations are asked for. */
  asins: string[]
}
