import { fireEvent, screen, within } from '@testing-library/react'
import { expect, it } from 'vitest'
import type { Negative } from '#features/structure/contract.ts'
import { open, scene } from '../../../../../tests/support/campaigns-scene.tsx'

function negative(id: number, more: Partial<Negative>): Negative {
  return {
    id,
    amazonId: `9000${id}`,
    state: 'ENABLED',
    servingStatus: null,
    syncState: 'SYNCED',
    syncError: null,
    version: 1,
    campaignId: 11,
    adGroupId: null,
    kind: 'KEYWORD',
    text: '',
    matchType: 'NEGATIVE_EXACT',
    ...more,
  }
}
const card = async () => within(await screen.findByRole('region', { name: 'Negatives of the campaign' }))

it('shows the negatives of the whole campaign, page by page', async () => {
  scene.negatives = [
    [
      negative(1, { text: 'cheap mugs' }),
      negative(2, { text: 'mugs with lids', matchType: 'NEGATIVE_PHRASE' }),
      negative(3, { text: 'ASIN_SAME_AS: B0TIDE0001', kind: 'PRODUCT', matchType: null }),
    ],
    [negative(4, { text: 'second hand' })],
  ]
  open('/campaigns?campaign=11')
  const shown = await card()
  for (const text of ['cheap mugs', 'mugs with lids', 'ASIN_SAME_AS: B0TIDE0001', 'Product'])
    expect(await shown.findByText(text)).toBeTruthy()
  const request = scene.asked.find(url => url.pathname === '/api/negatives/cm')
  expect(Object.fromEntries(request?.searchParams ?? [])).toMatchObject({ campaignId: '11', level: 'CAMPAIGN' })
  expect(shown.queryByText('second hand')).toBeNull()
  fireEvent.click(shown.getByText('Show more negatives'))
  expect(await shown.findByText('second hand')).toBeTruthy()
  expect(shown.queryByText('Show more negatives')).toBeNull()
})

it('says so when no negative holds for the whole campaign', async () => {
  scene.negatives = [[]]
  open('/campaigns?campaign=11')
  expect(await (await card()).findByText('No negatives apply to the whole campaign.')).toBeTruthy()
})
