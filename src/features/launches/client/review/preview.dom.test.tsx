import { cleanup, fireEvent, render, screen, within } from '@testing-library/react'
import * as v from 'valibot'
import { afterEach, expect, it } from 'vitest'
import type { LaunchPreview } from '../../review/preview-schema.ts'
import { launchEndpoints } from '../../contract.ts'
import { PreviewResult } from './preview.tsx'
import { WorthKnowing } from './review-step.tsx'

afterEach(cleanup)

const unasked = () => expect.unreachable()

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
        clicksPerDay: 16.7,
        busyDaySpend: 40,
        biddingStrategy: 'SALES_DOWN_ONLY',
        topOfSearchPercent: 0,
        worstCaseCpc: 1.8,
        adGroups: [
          {
            name: 'Exact',
            phase: 'PERFORMANCE',
            match: 'EXACT',
            defaultBid: 1.2,
            products: [{ asin: 'B0TESTASIN', sku: 'S-1', title: 'Mat' }],
            keywords: [{ keyword: 'yoga mat', matchType: 'EXACT', isOwnBrand: false, ...bid }],
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
    breakEvenKnownFor: 1,
    ...over,
  })

it('tells what is worth knowing, the weightiest first, with what exactly; many things are folded', () => {
  render(<WorthKnowing notices={preview().notices} onLeaveOutRanking={unasked} />)
  const region = screen.getByRole('region', { name: 'Worth knowing' })
  expect([...region.querySelectorAll('.tag')].map(tag => tag.textContent)).toEqual(['Overlap', 'Out of stock', 'Plan'])
  const folded = within(region).getByText('Show all 4').closest('details')
  expect(folded?.open).toBe(false)
  expect([...(folded?.querySelectorAll('li') ?? [])].map(li => li.textContent)).toEqual(overlaps)
  expect(within(region).getByText('B0TESTASIN: out of stock').closest('details')).toBeNull()
})
it('says nothing where nothing is worth knowing', () => {
  render(<WorthKnowing notices={[]} onLeaveOutRanking={unasked} />)
  expect(screen.queryByText('Worth knowing')).toBeNull()
})
it('holds the target ACOS beside the break-even ACOS, and says what is missing while that is not known', () => {
  const shown = () => screen.getByText('Break-even ACOS').nextElementSibling?.textContent
  const { rerender } = render(<PreviewResult preview={preview()} products={1} />)
  expect(screen.getByText('Target ACOS').nextElementSibling?.textContent).toBe('30%')
  expect(shown()).toBe('27.5%')
  rerender(<PreviewResult preview={preview()} products={11} />)
  expect(shown()).toBe('27.5% (known for 1 of 11 products)')
  rerender(<PreviewResult preview={preview({ breakEvenAcos: null, breakEvenKnownFor: 0 })} products={1} />)
  expect(shown()).toBe('– (COGS, fees or price unknown)')
})
it('shows in the tree which terms are kept out, exact and phrase', () => {
  render(<PreviewResult preview={preview()} products={1} />)
  expect(screen.getByText('Excluded (negative exact, 1):').parentElement?.textContent).toContain('free mat')
  expect(screen.getByText('Excluded (negative phrase, 13):').parentElement?.textContent).toContain('used 0, used 1,')
})
it('draws the keywords of a large campaign once it is opened', () => {
  const large = preview()
  const group = large.campaigns[0]?.adGroups[0]
  if (!group) throw new Error('no ad group')
  group.keywords = Array.from({ length: 201 }, (_, i) => ({
    isOwnBrand: false,
    keyword: `mat ${i}`,
    matchType: 'EXACT',
    ...bid,
  }))
  render(<PreviewResult preview={large} products={1} />)
  expect(screen.queryByText('mat 200')).toBeNull()
  const campaign = screen.getByText(/^Mats \| Performance/).closest('details')
  if (!campaign) throw new Error('nothing to open')
  campaign.open = true
  fireEvent(campaign, new Event('toggle'))
  expect(screen.getByText('mat 200')).toBeTruthy()
})
it('draws the structure at a glance: campaigns, and the ad groups in them', () => {
  const [only] = preview().campaigns
  if (!only) throw new Error('no campaign')
  const [group] = only.adGroups
  if (!group) throw new Error('no ad group')
  const discovery = { ...group, phase: 'DISCOVERY' as const }
  const ranking = { ...group, name: 'Ranking', phase: 'RANKING' as const }
  const campaigns = [
    { ...only, name: 'A', adGroups: [{ ...discovery, match: 'AUTO' as const }] },
    { ...only, name: 'B', adGroups: [{ ...discovery, match: 'BROAD' as const }, ranking] },
  ]
  render(<PreviewResult products={1} preview={preview({ campaigns })} />)
  const boxes = within(screen.getByRole('list', { name: 'Structure diagram' })).getAllByRole('listitem')
  expect(boxes.map(box => [...box.children].map(part => part.textContent))).toEqual([
    ['Discovery', 'Auto'],
    ['Manual', 'Discovery: Broad', 'Ranking: Exact'],
  ])
})

it('offers to leave Ranking out where it bids too low, and only there', () => {
  const requests: string[] = []
  const low = { kind: 'RANKING_TOO_LOW' as const, message: 'All Ranking bids are below the low end.', details: [] }
  render(<WorthKnowing notices={[low, ...preview().notices]} onLeaveOutRanking={() => requests.push('out')} />)
  fireEvent.click(screen.getByRole('button', { name: 'Leave Ranking out' }))
  expect(requests).toEqual(['out'])
})
