import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type LaunchScene, openLaunchScene } from '../../../../tests/support/launch-scene.ts'
import { launchActs } from '../../../../tests/support/launch-acts.ts'
import { bookLines } from '../../../../tests/support/launch-table/book-lines.ts'
import { keepAdvice } from '../../../../tests/support/launch-table/keep-advice.ts'
import { type LaunchCase, launchTable, TABLE_BUDGET } from '../../../../tests/support/launch-table/launch-table.ts'
import { intensities } from '../../../../tests/support/launch-table/expected-tree.ts'
import { expectedLines } from '../../../../tests/support/launch-table/tree-lines.ts'
import { templates } from '../contract.ts'

let scene: LaunchScene
let acts: ReturnType<typeof launchActs>
beforeAll(async () => {
  scene = await openLaunchScene()
  acts = launchActs(scene)
  const [first, second] = productsOf('MULTI').map(p => p.asin)
  await keepAdvice(scene, [first ?? ''])
  await keepAdvice(scene, [first ?? '', second ?? ''])
})
afterAll(() => scene.close())

const productsOf = (template: string) =>
  scene.products
    .filter(p => p.eligibility === 'ELIGIBLE')
    .slice(0, template.startsWith('MULTI') ? 2 : 1)
    .map(p => ({ asin: p.asin, sku: p.sku ?? '' }))

const sizeOf = (row: LaunchCase) => JSON.stringify(row.expected).length
const settingsOf = ({ input }: LaunchCase) => JSON.stringify({ ...input, strategy: null })
const firstOfFamily: readonly string[] = [templates[0], templates[3], templates[6]]

/**
 * Every template in both modes with the settings that make most, the first of each family with all of its settings; the
 * intensities go round.
 */
const walked = (): LaunchCase[] => {
  const groups = new Map<string, LaunchCase[]>()
  for (const row of launchTable) {
    const { template, setupMode } = row.input
    const key = firstOfFamily.includes(template) ? settingsOf(row) : `${template} ${setupMode}`
    groups.set(key, [...(groups.get(key) ?? []), row])
  }
  return [...groups.values()].map((rows, i) => {
    const most = rows.reduce((largest, row) => (sizeOf(row) > sizeOf(largest) ? row : largest))
    return rows.filter(row => settingsOf(row) === settingsOf(most))[i % intensities.length] ?? most
  })
}

test('the walk has every template in both modes, every intensity, and High Impact with and without', () => {
  const walk = walked().map(row => row.input)
  expect(new Set(walk.map(i => `${i.template} ${i.setupMode}`)).size).toBe(templates.length * 2)
  for (const template of firstOfFamily)
    expect(new Set(walk.filter(i => i.template === template).map(i => i.strategy)).size).toBe(intensities.length)
  expect(new Set(walk.filter(i => i.template.endsWith('FUNNEL')).map(i => i.includeHighImpact)).size).toBe(2)
})

describe('what stands at the marketplace is what the table says, entity by entity', () => {
  test.each(walked())('$title', async ({ input, expected }) => {
    const products = productsOf(input.template)
    const id = await acts.begin({ ...input, budget: TABLE_BUDGET, products })
    expect(await acts.run(id)).toEqual({ again: false })
    expect(scene.calls.length).toBeLessThanOrEqual(12)
    const { campaignName, status, created } = await acts.view(id)
    expect(status).toBe('COMPLETED')
    const lines = expectedLines(expected, { prefix: 'TL', campaignName, skus: products.map(p => p.sku) }, 'ENABLED')
    expect(bookLines(scene.world.books, campaignName)).toEqual(lines)
    // The four groups of automatic targeting come by themselves.
    const appeared = lines.filter(line => / buys (CLOSE|LOOSE|SUBST|COMPL)/.test(line)).length
    expect(created).toHaveLength(lines.length - appeared)
  })
})
