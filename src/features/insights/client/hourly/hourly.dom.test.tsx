import { fireEvent, screen, within } from '@testing-library/react'
import { expect, it } from 'vitest'
import { clientOfShop, open, scene, viewport } from '../../../../../tests/support/campaigns-scene.tsx'
import { figuresWithRatios } from '../../../../../tests/support/sum-figures.ts'
import type { HourCell, HourFinding } from '../../hourly-contract.ts'
import { askFirstHours } from '../use-insight-page.ts'
import { cellText, findingText, hourSpan } from './hourly-words.ts'

const nights: HourFinding = {
  kind: 'WASTES',
  weekdays: [1, 2, 3, 4, 5, 6, 7],
  from: 1,
  to: 5,
  clicks: 900,
  orders: 28,
  expectedOrders: 112,
  costShare: 14.3,
  salesShare: 4.2,
  acos: 160,
  usualAcos: 40,
}
const evenings: HourFinding = { ...nights, kind: 'SELLS', weekdays: [1], from: 18, to: 22, acos: 21, usualAcos: 42 }

/** Hours of 100 clicks each; those of Sunday have five. */
const cells: HourCell[] = Array.from({ length: 168 }, (_, index) => {
  const clicks = index >= 144 ? 5 : 100
  const figures = figuresWithRatios({
    impressions: 1000,
    clicks,
    cost: 20 + (index % 24),
    sales: 100,
    orders: 4,
    units: 4,
  })
  const place = { weekday: Math.floor(index / 24) + 1, hour: index % 24, days: 4, times: 4 }
  return { ...place, ...figures, value: figures.acos, perHour: null, isThin: clicks < 30 }
})
const heatmap = {
  currency: 'USD',
  metric: 'acos',
  dateFrom: '2026-03-01',
  dateTo: '2026-03-30',
  clock: 'MARKETPLACE',
  timezone: 'America/Los_Angeles',
  since: '2026-02-01T08:00:00.000Z',
  asOf: '2026-03-30T10:00:00.000Z',
  countedUntil: '2026-03-27T10:00:00.000Z',
  collected: { days: 57, needed: 28 },
  minClicks: 30,
  cells,
  totals: figuresWithRatios({ impressions: 9, clicks: 9, cost: 9, sales: 9, orders: 9, units: 9 }),
  findings: [evenings, nights],
}
const show = (more: object = {}, address = '/insights/hourly-trends') => {
  scene.answers['/api/hourly-heatmap'] = { ...heatmap, ...more }
  return open(address)
}
const hour = (name: RegExp) => screen.findByRole('button', { name })

it('reads the hours out in sentences, with the counts that carry them', async () => {
  show()
  const reading = within(await screen.findByRole('region', { name: 'What the hours say' }))
  expect(
    reading.getByText(/^Mondays from 6 PM to 10 PM, orders come at an ACOS of 21%, half of the usual 42%\.$/),
  ).toBeTruthy()
  expect(
    reading.getByText(
      /^Every day from 1 AM to 5 AM, you spend 14% of your money and make 4% of your ad sales: an ACOS of 160%, 4 times the usual 40%\.$/,
    ),
  ).toBeTruthy()
  expect(reading.getAllByText('28 orders from 900 clicks. This spend usually brings 112.')).toHaveLength(2)
})

it('draws each hour with its number, tells thin ones apart, and walks by the arrow keys', async () => {
  show()
  const monday = await hour(/^Monday 12\sAM to 1\sAM, ACOS 20%, 100 clicks on 4 days$/)
  expect(monday.textContent).toBe('20')
  expect(monday.tabIndex).toBe(0)
  expect((await hour(/^Sunday 12\sAM to 1\sAM, .* too few clicks to rely on$/)).className).toContain('thin')
  expect((await hour(/^Tuesday 1\sAM .* among the most wasteful hours$/)).className).toContain('found-wastes')
  // Days are across on a phone.
  fireEvent.keyDown(monday, { key: 'ArrowRight' })
  fireEvent.keyDown(document.activeElement as Element, { key: 'ArrowDown' })
  expect(document.activeElement?.getAttribute('aria-label')).toMatch(/^Tuesday 1\sAM/)
  const detail = within(await screen.findByRole('region', { name: /^Tuesday, 1\sAM to 2\sAM$/ }))
  expect(detail.getByText('$21.00')).toBeTruthy()
})

it('names an hour by the number that is drawn, and its exact value', async () => {
  show({ cells: cells.map((cell, index) => (index ? cell : { ...cell, value: 9.85 })) })
  expect((await hour(/^Monday 12\sAM to 1\sAM, ACOS 9\.9, exactly 9\.85%, 100 clicks/)).textContent).toBe('9.9')
})

it('lays the days down and the hours across where there is room', async () => {
  viewport(true)
  show()
  fireEvent.keyDown(await hour(/^Monday 12\sAM/), { key: 'ArrowRight' })
  expect(document.activeElement?.getAttribute('aria-label')).toMatch(/^Monday 1\sAM/)
})

it('says how much it has collected while it is young, and that nothing stands out', async () => {
  show({ collected: { days: 3, needed: 28 }, findings: [] })
  expect(await screen.findByText(/Collecting: 3 of 28 days/)).toBeTruthy()
  expect(screen.getByText(/^No time of the week stands out/)).toBeTruthy()
})

it('says when hours will come, and keeps figure, campaign and clock in the address', async () => {
  const router = show({ since: null, asOf: null, cells: cells.map(cell => ({ ...cell, times: 0, value: null })) })
  expect(await screen.findByText('No hours yet')).toBeTruthy()
  fireEvent.change(screen.getByRole('combobox', { name: 'Figure' }), { target: { value: 'cost' } })
  expect(router.state.location.search).toMatchObject({ metric: 'cost' })
  const request = () => scene.asked.filter(url => url.pathname === '/api/hourly-heatmap').at(-1)
  await expect.poll(() => request()?.searchParams.get('metric')).toBe('cost')
  await router.navigate({ to: '/insights/hourly-trends', search: { campaignId: 7, clock: 'USER' } } as never)
  await expect.poll(() => request()?.searchParams.get('campaignId')).toBe('7')
  expect(request()?.searchParams.get('timezone')).toBeTruthy()
})

it('opens with the hours that were asked for ahead', async () => {
  scene.answers['/api/hourly-heatmap'] = heatmap
  const requests = () => scene.asked.filter(url => url.pathname === '/api/hourly-heatmap').length
  const client = clientOfShop()
  await askFirstHours(client)
  expect(requests()).toBe(1)
  open('/insights/hourly-trends', client)
  await hour(/^Monday 12\sAM/)
  expect(requests()).toBe(1)
})

it('leads from /insights to its first page', async () => {
  const router = show({}, '/insights?days=60')
  await screen.findByRole('heading', { name: 'Hourly trends' })
  expect(router.state.location.pathname).toBe('/insights/hourly-trends')
})

it.each([
  [0.456, 'cpc', '0.46'],
  [12.34, 'acos', '12'],
  [4.24, 'acos', '4.2'],
  [1234, 'impressions', '1.2k'],
  [56_789, 'impressions', '57k'],
  [null, 'acos', '–'],
] as const)('writes %s of %s as %s', (value, metric, text) => {
  expect(cellText(value, metric)).toBe(text)
})

it('names the hour across midnight, and days that are not all', () => {
  expect(hourSpan(23)).toMatch(/^11\sPM to 12\sAM$/)
  expect(findingText({ ...nights, weekdays: [6, 7], acos: null })).toMatch(
    /^Weekends from 1\sAM to 5\sAM, you spend 14% of your money and make 4% of your ad sales\.$/,
  )
})
