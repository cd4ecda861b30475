import { QueryClient, QueryClientProvider } from '@tanstack/react-query'
import { createMemoryHistory, createRootRoute, createRouter, RouterContextProvider } from '@tanstack/react-router'
import { cleanup, fireEvent, render, screen } from '@testing-library/react'
import { useReducer } from 'react'
import { afterEach, describe, expect, it } from 'vitest'
import { accountQueries } from '#features/accounts/client/public.ts'
import { launchQueries } from '../queries.ts'
import type { Margins } from '../../review/preview-schema.ts'
import { marketplaceByKey } from '#shared/marketplaces.ts'
import { freshWizard, type WizardState } from '../../draft/wizard-state.ts'
import { budgetOf, diagramOfTemplate } from '../wizard/structure-preview.ts'
import { SettingsStep } from './settings-step.tsx'
import { wizardReducer } from '../wizard/wizard-reducer.ts'
import { TemplateStep } from '../steps/use-steps.tsx'

afterEach(cleanup)

const client = new QueryClient({ defaultOptions: { queries: { staleTime: Number.POSITIVE_INFINITY } } })
afterEach(() => client.clear())

const router = createRouter({ routeTree: createRootRoute(), history: createMemoryHistory() })
const shop = { merchantId: 1, marketplaceId: 1 }
function marketOf(key: string) {
  const market = marketplaceByKey(key)
  if (!market) throw new Error(`no marketplace ${key}`)
  return market
}
function Settings({ from, country = 'US' }: { from: Partial<WizardState>; country?: string }) {
  const [state, dispatch] = useReducer(wizardReducer, { ...freshWizard('SMART'), ...from })
  const market = marketOf(country)
  return (
    <RouterContextProvider router={router}>
      <QueryClientProvider client={client}>
        <SettingsStep
          state={state}
          dispatch={dispatch}
          market={market}
          budget={budgetOf(state, market)}
          shop={shop}
          messages={from.campaignName === 'taken' ? { campaignName: 'The name “taken” is taken.' } : {}}
        />
      </QueryClientProvider>
    </RouterContextProvider>
  )
}
const funnel = { template: 'SINGLE_PRODUCT_CAMPAIGN_FUNNEL', strategy: 'NORMAL' } as const
const budget = () => screen.getByLabelText('Budget')
function type(text: string) {
  fireEvent.change(budget(), { target: { value: text } })
  fireEvent.blur(budget())
}

describe('the phases of a funnel', () => {
  const shown = (from: Partial<WizardState> = {}) => {
    const { container } = render(<Settings from={{ ...funnel, ...from }} />)
    return [...container.querySelectorAll('.phases strong')].map(name => name.textContent)
  }
  it('are those that are included', () => {
    const four = ['Discovery', 'Research', 'Performance', 'Ranking']
    expect(shown({ includeHighImpact: false, includeRanking: true })).toEqual(four)
    expect(shown({ includeHighImpact: true, includeRanking: true })).toHaveLength(5)
    expect(shown({ includeHighImpact: false, includeRanking: false })).not.toContain('Ranking')
  })
  it('are those that the diagram of the template draws', () => {
    const drawn = diagramOfTemplate(funnel.template, 'SMART').campaigns.map(campaign => campaign.title)
    expect([...new Set(drawn)]).toEqual(shown())
  })
})

it('tells the marketplace’s minimum for the whole funnel, and shows the split once it is met', () => {
  render(<Settings from={funnel} />)
  type('4.99')
  expect(screen.getByText(/must be at least 5 USD a day: it is shared by 5 campaigns/)).toBeTruthy()
  type('42.50')
  expect(screen.queryByText(/must be at least 5 USD/)).toBeNull()
  expect(screen.getByText('$14.88')).toBeTruthy()
  expect(screen.getByText(/Spend can reach \$85\.00 on a busy day/)).toBeTruthy()
})
it('adds the fifth phase, and its share of the budget, with High Impact', () => {
  render(<Settings from={{ ...funnel, budget: 100 }} />)
  expect(screen.queryByText('High Impact')).toBeNull()
  fireEvent.click(screen.getByLabelText(/Include High Impact Campaign/))
  expect(screen.getByText('High Impact')).toBeTruthy()
  expect(screen.getByText('High Impact: Exact')).toBeTruthy()
})
it('offers to keep brand terms apart where there are keywords, and adds their campaigns to the split', () => {
  const label = /^Separate campaigns for brand terms/
  render(<Settings from={{ ...funnel, budget: 100 }} />)
  const box = screen.getByLabelText<HTMLInputElement>(label)
  expect(box.checked).toBe(false)
  const amounts = () =>
    [...screen.getByLabelText('How the budget is shared').children].map(one => one.textContent).join(' ')
  expect(amounts()).not.toContain('brand')
  fireEvent.click(box)
  expect(box.checked).toBe(true)
  expect(amounts()).toContain('Performance: Exact$28.00')
  expect(amounts()).toContain('Own brand: Manual$10.00 Competitors: Manual$10.00')
  cleanup()
  render(<Settings from={{ template: 'SINGLE_PRODUCT_KEYWORD_CAMPAIGN', automationMode: 'MANUAL' }} />)
  expect(screen.getByLabelText(label)).toBeTruthy()
  cleanup()
  render(<Settings from={{ template: 'SINGLE_PRODUCT_KEYWORD_CAMPAIGN', automationMode: 'AUTO' }} />)
  expect(screen.queryByLabelText(label)).toBeNull()
  cleanup()
  render(<Settings from={{ template: 'SINGLE_PRODUCT_PRODUCT_TARGET_CAMPAIGN' }} />)
  expect(screen.queryByLabelText(label)).toBeNull()
})
describe('the split among phases', () => {
  const field = (phase: string) => screen.getByLabelText<HTMLInputElement>(`${phase} share`)
  const enter = (phase: string, text: string) => fireEvent.change(field(phase), { target: { value: text } })
  const phases = ['Discovery', 'Research', 'Performance', 'Ranking']
  const helpOf = (phase: string) =>
    document.getElementById(field(phase).getAttribute('aria-describedby') ?? '')?.textContent

  it('begins with the usual one, and shows what each phase gets to the cent', () => {
    render(<Settings from={{ ...funnel, budget: 42.5 }} />)
    expect(phases.map(phase => field(phase).value)).toEqual(['25', '20', '35', '20'])
    expect(phases.map(helpOf)).toEqual(['$10.62 a day', '$8.50 a day', '$14.88 a day', '$8.50 a day'])
    expect(screen.queryByText('Use the default split')).toBeNull()
  })
  it('reports shares that do not add up, is filled up by one tap, and returns to the default', () => {
    render(<Settings from={{ ...funnel, budget: 100 }} />)
    enter('Discovery', '40.5')
    expect(screen.getByRole('alert').textContent).toBe('The shares must add up to 100%; they add up to 115.5%')
    expect(screen.queryByLabelText('How the budget is shared')).toBeNull()
    fireEvent.click(screen.getByText('Set Performance to 19.5%'))
    expect(document.activeElement?.textContent).toBe('Split among phases')
    expect(screen.queryByRole('alert')).toBeNull()
    expect(phases.map(helpOf)).toEqual(['$40.50 a day', '$20.00 a day', '$19.50 a day', '$20.00 a day'])
    fireEvent.click(screen.getByText('Use the default split'))
    expect(phases.map(phase => field(phase).value)).toEqual(['25', '20', '35', '20'])
    expect(document.activeElement?.textContent).toBe('Split among phases')
  })
  it('takes steps of 0.5%: what cannot hold is explained while it is typed and settles once the field is left', () => {
    render(<Settings from={{ ...funnel, budget: 100 }} />)
    enter('Research', '12.3')
    expect(screen.getByText('Shares go in steps of 0.5%')).toBeTruthy()
    expect(field('Research').getAttribute('aria-invalid')).toBe('true')
    fireEvent.blur(field('Research'))
    expect(field('Research').value).toBe('12.5')
    enter('Research', '')
    expect(screen.getByText('Each phase needs a share of the budget')).toBeTruthy()
    fireEvent.blur(field('Research'))
    expect(field('Research').value).toBe('12.5')
  })
  it.each([
    ['12.3', '12.5'],
    ['0', '1'],
    ['-4', '1'],
    ['250', '97'],
  ])('%s typed settles at %s', (typed, settled) => {
    render(<Settings from={{ ...funnel, budget: 100 }} />)
    enter('Research', typed)
    fireEvent.blur(field('Research'))
    expect(field('Research').value).toBe(settled)
  })
  it('gives way to the usual one when High Impact comes', () => {
    render(<Settings from={{ ...funnel, budget: 100 }} />)
    enter('Discovery', '30')
    fireEvent.click(screen.getByLabelText(/Include High Impact Campaign/))
    expect([...phases, 'High Impact'].map(phase => field(phase).value)).toEqual(['20', '15', '30', '15', '20'])
  })
  it('asks in an ad group funnel only for Discovery, and always adds up', () => {
    render(<Settings from={{ ...funnel, template: 'SINGLE_PRODUCT_AD_GROUP_FUNNEL', budget: 100 }} />)
    expect(screen.queryByLabelText('Research share')).toBeNull()
    enter('Discovery', '40')
    expect(screen.queryByRole('alert')).toBeNull()
    const split = screen.getByLabelText('How the budget is shared')
    expect([...split.querySelectorAll('dd')].map(dd => dd.textContent)).toEqual(['$20.00', '$80.00'])
  })
})
describe('the break-even ACOS', () => {
  const products = [
    { asin: 'B0TESTASIN', sku: 'S-1', title: 'Mat', imageUrl: null },
    { asin: 'B0OTHERONE', sku: 'S-2', title: 'Mug', imageUrl: null },
  ]
  const show = (over: Partial<Margins> = {}) => {
    const one = { price: 20, cogs: 6, fees: 8, breakEvenAcos: 30, unknownBecause: null }
    const missing = { cogs: null, breakEvenAcos: null, unknownBecause: 'COGS is missing: enter it in the inventory.' }
    client.setQueryData(launchQueries.margins(shop, ['S-1', 'S-2']).queryKey, {
      breakEvenAcos: 30,
      caveat: 'Returns are not taken off.',
      products: [
        { ...one, productId: 7, asin: 'B0TESTASIN', sku: 'S-1' },
        { ...one, ...missing, productId: 8, asin: 'B0OTHERONE', sku: 'S-2' },
      ],
      ...over,
    })
    render(<Settings from={{ ...funnel, products }} />)
  }
  it('is asked for once there are products', () => {
    render(<Settings from={funnel} />)
    expect(screen.getByText(/appears here once you choose products/)).toBeTruthy()
  })
  it('stands beside the target with its caveat and with the products that it leaves out', () => {
    show()
    expect(screen.getByText('30%').parentElement?.textContent).toContain('Break-even ACOS: 30%')
    expect(screen.getByText('Returns are not taken off.')).toBeTruthy()
    expect(screen.getByText('Unknown for 1 of 2 products')).toBeTruthy()
    expect(screen.getByText(/^Mug: COGS is missing: enter it in the inventory\./)).toBeTruthy()
  })
  it('leads to the COGS of a product that lacks it, and from there back to the wizard', () => {
    show()
    const links = screen.getAllByRole('link', { name: /^Enter COGS/ })
    expect(links.map(link => [link.textContent, link.getAttribute('href')])).toEqual([
      ['Enter COGS', '/inventory?product=8&search=S-2&from=wizard'],
    ])
  })
  it('warns as soon as the target is above it', () => {
    show()
    const enter = (value: string) => fireEvent.change(screen.getByLabelText('Target ACOS'), { target: { value } })
    enter('30')
    expect(screen.queryByText(/would lose money/)).toBeNull()
    enter('30.5')
    expect(screen.getByText(/would lose money/)).toBeTruthy()
  })
  it('claims nothing while it is not known', () => {
    show({ breakEvenAcos: null })
    expect(screen.getByText('unknown')).toBeTruthy()
    expect(screen.queryByText('Returns are not taken off.')).toBeNull()
  })
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

describe('the pattern of names', () => {
  const open = () => {
    const fold = screen.getByText('Campaign naming').closest('details')
    if (!fold) throw new Error('no fold')
    fold.open = true
    fireEvent(fold, new Event('toggle'))
  }
  const names = () =>
    [...screen.getByRole('list', { name: 'Names of the campaigns' }).children].map(item => item.textContent)
  it('shows what the campaigns will be called while it is typed, and says what is wrong', () => {
    const profile = { marketplace: { id: 1 }, campaignPrefix: 'TL', accountType: 'SELLER' }
    client.setQueryData<unknown>(accountQueries.merchant(1).queryKey, { profiles: [profile] })
    const products = [{ asin: 'B0TESTASIN', sku: 'S-1', title: 'Mat', imageUrl: null }]
    render(<Settings from={{ ...funnel, budget: 100, campaignName: 'Mats', products }} />)
    open()
    expect(names()[0]).toBe('TL | Mats | Discovery | Auto')
    const enter = (value: string) => fireEvent.change(screen.getByLabelText('Name pattern'), { target: { value } })
    enter('{ad type} {SKU} {campaignName} {phase} {match type}')
    expect(names()[1]).toBe('SP S-1 Mats Discovery Broad')
    enter('{campaignName} {phase}')
    expect(screen.getByText('The pattern needs {match type}: names must differ')).toBeTruthy()
    fireEvent.click(screen.getByText('Use the default pattern'))
    expect(names()[0]).toBe('TL | Mats | Discovery | Auto')
  })
})
it('warns of a budget that buys too few clicks, at the customary bid', () => {
  render(<Settings from={{ ...funnel, budget: 5 }} />)
  expect(screen.getByText(/^At about \$0\.75 a click 5 of 5 campaigns buy fewer than 5 clicks a day/)).toBeTruthy()
  type('40')
  expect(screen.queryByText(/fewer than 5 clicks a day/)).toBeNull()
})
