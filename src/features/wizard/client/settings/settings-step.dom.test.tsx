import { cleanup, fireEvent, render, screen } from '@testing-library/react'
import { useReducer } from 'react'
import { afterEach, expect, it } from 'vitest'
import { marketplaceByKey } from '#shared/marketplaces.ts'
import { freshWizard, type WizardState } from '../../wizard-state.ts'
import { budgetOf } from './budget-of.ts'
import { SettingsStep } from './settings-step.tsx'
import { wizardReducer } from '../state.ts'
import { TemplateStep } from '../template-step.tsx'

afterEach(cleanup)

const marketOf = (key: string) => {
  const market = marketplaceByKey(key)
  if (!market) throw new Error(`no marketplace ${key}`)
  return market
}
const Settings = ({ from, country = 'US' }: { from: Partial<WizardState>; country?: string }) => {
  const [state, dispatch] = useReducer(wizardReducer, { ...freshWizard('SMART'), ...from })
  const market = marketOf(country)
  return (
    <SettingsStep
      state={state}
      dispatch={dispatch}
      market={market}
      budget={budgetOf(state, market)}
      faults={{ campaignName: from.campaignName === 'taken' ? 'The name “taken” is taken.' : '' }}
    />
  )
}
const funnel = { template: 'SINGLE_PRODUCT_CAMPAIGN_FUNNEL', strategy: 'NORMAL' } as const
const budget = () => screen.getByLabelText('Budget')
const type = (text: string) => {
  fireEvent.change(budget(), { target: { value: text } })
  fireEvent.blur(budget())
}

it('tells the marketplace’s minimum for the whole funnel, and shows the split once it is met', () => {
  render(<Settings from={funnel} />)
  type('4.99')
  expect(screen.getByText(/must be at least 5 USD a day: it is shared by 5 campaigns/)).toBeTruthy()
  type('42.50')
  expect(screen.queryByText(/must be at least 5 USD/)).toBeNull()
  expect(screen.getByText('$14.88')).toBeTruthy()
  expect(screen.getByText(/On a busy day up to \$85\.00 may be spent/)).toBeTruthy()
})
it('adds the fifth phase, and its share of the budget, with High Impact', () => {
  render(<Settings from={{ ...funnel, budget: 100 }} />)
  expect(screen.queryByText('High Impact')).toBeNull()
  fireEvent.click(screen.getByLabelText(/Include High Impact Campaign/))
  expect(screen.getByText('High Impact')).toBeTruthy()
  expect(screen.getByText('High Impact: Exact')).toBeTruthy()
})
it('takes no fractions of a yen', () => {
  render(<Settings from={funnel} country="JP" />)
  type('1000.5')
  expect(screen.getByText('The budget has more decimals than JPY has')).toBeTruthy()
})
it('asks the match type only once targeting is manual', () => {
  render(<Settings from={{ template: 'SINGLE_PRODUCT_KEYWORD_CAMPAIGN', strategy: 'NORMAL' }} />)
  expect(screen.queryByText('Keyword Match Type')).toBeNull()
  fireEvent.click(screen.getByLabelText('Manual'))
  expect(screen.getByText('Keyword Match Type')).toBeTruthy()
})
it('shows a refusal of the launch beside its field', () => {
  render(<Settings from={{ ...funnel, campaignName: 'taken' }} />)
  const name = screen.getByLabelText('Campaign name')
  expect(name.getAttribute('aria-invalid')).toBe('true')
  expect(screen.getByText('The name “taken” is taken.')).toBeTruthy()
})
it('offers nine templates in three groups, each with what it would make', () => {
  const chosen: string[] = []
  render(<TemplateStep state={freshWizard('SMART')} error={undefined} onTemplate={t => chosen.push(t)} />)
  expect(screen.getAllByRole('group').map(g => g.querySelector('legend')?.textContent)).toEqual([
    'Funnels',
    'Keyword campaigns',
    'Product targeting',
  ])
  expect(screen.getAllByRole('radio')).toHaveLength(9)
  expect(screen.getByText(/^5 campaigns: Discovery \(Auto\); Discovery \(Broad\)/)).toBeTruthy()
  fireEvent.click(screen.getByLabelText(/Single product keyword campaign/))
  expect(chosen).toEqual(['SINGLE_PRODUCT_KEYWORD_CAMPAIGN'])
})
