import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { launchActs } from '../../../../tests/support/launch-acts.ts'
import { type LaunchScene, openLaunchScene } from '../../../../tests/support/launch-scene.ts'
import { bookLines } from '../../../../tests/support/launch-table/book-lines.ts'
import { brandRows } from '../../../../tests/support/launch-table/brand-rows.ts'
import { intensities } from '../../../../tests/support/launch-table/expected-tree.ts'
import { keepAdvice } from '../../../../tests/support/launch-table/keep-advice.ts'
import { type LaunchCase, launchTable, TABLE_BUDGET } from '../../../../tests/support/launch-table/launch-table.ts'
import { makeRows } from '../../../../tests/support/launch-table/make-rows.ts'
import { expectedLines } from '../../../../tests/support/launch-table/tree-lines.ts'
import { templates } from '../templates.ts'

let scene: LaunchScene
let acts: ReturnType<typeof launchActs>
beforeAll(async () => {
  scene = await openLaunchScene()
  acts = launchActs(scene)
})
afterAll(() => scene.close())

function productsOf(template: string) {
  return scene.products
    .filter(p => p.eligibility === 'ELIGIBLE')
    .slice(0, template.startsWith('MULTI') ? 2 : 1)
    .map(p => ({ asin: p.asin, sku: p.sku ?? '' }))
}
const wantedLines = ({ input, expected }: LaunchCase, campaignName: string) =>
  expectedLines(expected, { prefix: 'TL', campaignName, skus: productsOf(input.template).map(p => p.sku) }, 'ENABLED')

describe('of every row of the table, what stands at the marketplace is what it says, entity by entity', () => {
  const rows = [...launchTable, ...brandRows]
  const nameOf = (row: LaunchCase) => `Row ${rows.indexOf(row)}`
  beforeAll(() =>
    makeRows(
      scene,
      rows.map(row => ({ ...row, campaignName: nameOf(row), products: productsOf(row.input.template) })),
    ),
  )

  test.each(rows)('$title', row => {
    const expectedLines = wantedLines(row, nameOf(row))
    // A campaign, its ad group, an ad and something to buy, at the very least.
    expect(expectedLines.length).toBeGreaterThanOrEqual(4)
    expect(bookLines(scene.world.store, nameOf(row))).toEqual(expectedLines)
  })

  test('and the marketplace holds nothing besides', () => {
    const { store: books } = scene.world
    const held = [
      books.campaigns,
      books.adGroups,
      books.productAds,
      books.keywords,
      books.targets,
      books.negativeKeywords,
      books.negativeTargets,
    ].reduce((sum, { size }) => sum + size, 0)
    expect(held).toBe(rows.reduce((sum, row) => sum + wantedLines(row, nameOf(row)).length, 0))
  })

  describe('one entity that is another, one too many or one too few would be seen', () => {
    type Books = Pick<LaunchScene['world']['store'], (typeof kinds)[number] | 'campaigns'>
    const kinds = ['adGroups', 'productAds', 'keywords', 'targets', 'negativeKeywords', 'negativeTargets'] as const
    const ofRow = <T extends { campaignId: string }>(all: Map<string, T>, ids: ReadonlySet<string>) =>
      new Map([...all].filter(([, one]) => ids.has(one.campaignId)).map(([id, one]) => [id, { ...one }]))
    const booksOf = (name: string): Books => {
      const { store: books } = scene.world
      const own = [...books.campaigns.values()].filter(c => c.name.includes(`| ${name} |`))
      const ids = new Set(own.map(c => c.campaignId))
      const cut = Object.fromEntries(kinds.map(kind => [kind, ofRow<{ campaignId: string }>(books[kind], ids)]))
      return { ...(cut as unknown as Books), campaigns: ofRow(books.campaigns, ids) }
    }
    const first = <T>(all: Map<string, T>): T => {
      const [one] = all.values()
      if (!one) throw new Error('the row has none')
      return one
    }

    test.each<[string, (books: Books) => unknown]>([
      ['a budget', b => (first(b.campaigns).budgetMicros += 10_000)],
      ['a placement', b => (first(b.campaigns).placements = [{ placement: 'PLACEMENT_TOP', percentage: 1 }])],
      ['a default bid', b => (first(b.adGroups).defaultBidMicros += 10_000)],
      ['an ad', b => (first(b.productAds).sku = 'OTHER')],
      ['a state', b => (first(b.productAds).state = 'PAUSED')],
      ['a keyword', b => (first(b.keywords).keywordText += 's')],
      ['a bid', b => (first(b.targets).bidMicros = 10_000)],
      ['one too many', b => b.keywords.set('double', { ...first(b.keywords) })],
      ['one too few', b => b.negativeKeywords.delete([...b.negativeKeywords.keys()][0] ?? '')],
    ])('%s', (_, change) => {
      const row = launchTable[0]
      if (!row) throw new Error('the table is empty')
      const books = booksOf(nameOf(row))
      const expectedLines = wantedLines(row, nameOf(row))
      expect(bookLines(books, nameOf(row))).toEqual(expectedLines)
      change(books)
      expect(bookLines(books, nameOf(row))).not.toEqual(expectedLines)
    })
  })
})

const sizeOf = (row: LaunchCase) => JSON.stringify(row.expected).length

/** Every template in both modes with the settings that make most; the intensities go round. */
function walked(): LaunchCase[] {
  const groups = Map.groupBy(launchTable, ({ input }) => `${input.template} ${input.setupMode}`)
  return [...groups.values()].map((rows, i) => {
    const ofIntensity = rows.filter(row => row.input.strategy === intensities[i % intensities.length])
    return ofIntensity.reduce((largest, row) => (sizeOf(row) > sizeOf(largest) ? row : largest))
  })
}

test('the walk has every template in both modes, and every intensity', () => {
  const walk = walked().map(row => row.input)
  expect(new Set(walk.map(i => `${i.template} ${i.setupMode}`)).size).toBe(templates.length * 2)
  expect(new Set(walk.map(i => i.strategy)).size).toBe(intensities.length)
})

describe('a launch from its acceptance to its end makes what the table says, in at most 12 calls', () => {
  beforeAll(async () => {
    const [first, second] = productsOf('MULTI').map(p => p.asin)
    await keepAdvice(scene, [first ?? ''])
    await keepAdvice(scene, [first ?? '', second ?? ''])
  })

  test.each(walked())('$title', async row => {
    const products = productsOf(row.input.template)
    const id = await acts.begin({ ...row.input, budget: TABLE_BUDGET, products })
    expect(await acts.run(id)).toEqual({ again: false })
    expect(scene.calls.length).toBeLessThanOrEqual(12)
    const { campaignName, status, created } = await acts.view(id)
    expect(status).toBe('COMPLETED')
    const lines = wantedLines(row, campaignName)
    expect(bookLines(scene.world.store, campaignName)).toEqual(lines)
    // The four groups of automatic targeting come by themselves.
    const appeared = lines.filter(line => / buys (CLOSE|LOOSE|SUBST|COMPL)/.test(line)).length
    expect(created).toHaveLength(Math.min(500, lines.length - appeared))
  })
})
