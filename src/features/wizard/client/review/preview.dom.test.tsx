import { cleanup, fireEvent, render, screen, within } from '@testing-library/react'
import * as v from 'valibot'
import { afterEach, expect, it } from 'vitest'
import { type LaunchPreview, launchEndpoints } from '#features/launches/contract.ts'
import { PreviewFigures } from './preview-figures.tsx'
import { PreviewTree } from './preview-tree.tsx'

afterEach(cleanup)

const bid = { bid: 1.2, lowBid: 0.8, medianBid: 1.2, highBid: 2, worstCaseCpc: 1.8, why: 'Middle of the range.' }
const overlaps = ['“mat” (exact)', '“yoga mat” (exact)', '“thick mat” (exact)', '“blue mat” (exact)'].map(
  name => `${name}: runs in “Mats”`,
)
const preview = (over: Partial<LaunchPreview> = {}): LaunchPreview =>
  v.parse(launchEndpoints.preview.response, {
    currency: 'USD',
    budget: 20,
    busyDaySpend: 40,
    worstCaseCpc: 1.8,
    targetAcos: 30,
    campaigns: [
      {
        name: 'Mats | Performance | Exact',
        phase: 'PERFORMANCE',
        targetingType: 'MANUAL',
        budget: 20,
        budgetShare: 100,
        busyDaySpend: 40,
        biddingStrategy: 'SALES_DOWN_ONLY',
        topOfSearchPercent: 0,
        worstCaseCpc: 1.8,
        adGroups: [
          {
            name: 'Exact',
            match: 'EXACT',
            defaultBid: 1.2,
            products: [{ asin: 'B0TESTASIN', sku: 'S-1', title: 'Mat' }],
            keywords: [{ keyword: 'yoga mat', matchType: 'EXACT', ...bid }],
            autoTargets: [],
            targets: [],
            negativeKeywords: ['free mat'],
            negativePhrases: Array.from({ length: 13 }, (_, i) => `used ${i}`),
          },
        ],
      },
    ],
    totals: { campaigns: 1, adGroups: 1, productAds: 1, keywords: 1, targets: 0, negativeKeywords: 14 },
    forecast: {
      spend: { low: 10, high: 100 },
      clicks: { low: 10, high: 80 },
      orders: null,
      source: 'Own figures',
      caveat: 'No promise.',
    },
    notices: [
      { kind: 'OVERLAP', message: '4 targets of this launch already run for the same product.', details: overlaps },
      {
        kind: 'OUT_OF_STOCK',
        message: 'Ads are not shown until there is stock.',
        details: ['B0TESTASIN: out of stock'],
      },
      { kind: 'PLAN', message: 'Bids were lowered to the budget.', details: [] },
    ],
    warnings: [],
    breakEvenAcos: 27.5,
    ...over,
  })

it('tells what is worth knowing, the weightiest first, with what exactly; many things are folded', () => {
  render(<PreviewFigures preview={preview()} />)
  const region = screen.getByRole('region', { name: 'Worth knowing' })
  expect([...region.querySelectorAll('.tag')].map(tag => tag.textContent)).toEqual(['Overlap', 'Out of stock', 'Plan'])
  const folded = within(region).getByText('Show all 4').closest('details')
  expect(folded?.open).toBe(false)
  expect([...(folded?.querySelectorAll('li') ?? [])].map(li => li.textContent)).toEqual(overlaps)
  expect(within(region).getByText('B0TESTASIN: out of stock').closest('details')).toBeNull()
})
it('says nothing where nothing is worth knowing', () => {
  render(<PreviewFigures preview={preview({ notices: [] })} />)
  expect(screen.queryByText('Worth knowing')).toBeNull()
})
it('holds the target ACOS beside the break-even ACOS, and says what is missing while that is not known', () => {
  const shown = () => screen.getByText('Break-even ACOS').nextElementSibling?.textContent
  const { rerender } = render(<PreviewFigures preview={preview()} />)
  expect(screen.getByText('Target ACOS').nextElementSibling?.textContent).toBe('30 %')
  expect(shown()).toBe('27.5 %')
  rerender(<PreviewFigures preview={preview({ breakEvenAcos: null })} />)
  expect(shown()).toBe('– (COGS, fees or price are not known)')
})
it('shows in the tree which terms are kept out, exact and phrase', () => {
  render(<PreviewTree preview={preview()} />)
  const open = (summary: RegExp) => {
    const details = screen.getByText(summary).closest('details')
    if (!details) throw new Error('nothing to open')
    details.open = true
    fireEvent(details, new Event('toggle'))
  }
  expect(screen.queryByText('yoga mat')).toBeNull()
  open(/^Mats \| Performance/)
  expect(screen.getByText('Kept out (negative exact):').parentElement?.textContent).toContain('free mat')
  expect(screen.queryByText(/used 12/)).toBeNull()
  open(/^Kept out \(negative phrase\): 13 terms/)
  expect(screen.getByText(/used 0, used 1, .*used 12/)).toBeTruthy()
})
