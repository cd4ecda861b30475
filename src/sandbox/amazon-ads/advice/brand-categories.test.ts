import { describe, expect, test } from 'vitest'
import { smallScene } from '../../../../tests/support/ads-scene.ts'
import { adsClient, type Json, leafOf, listOf } from '../../../../tests/support/ads-world.ts'

const scene = smallScene()
const mediaType = 'application/vnd.sbtargeting.v4+json'

const ask = (query: Record<string, string>, accept = mediaType) =>
  scene.ads.call('GET', `/sb/targets/categories?${new URLSearchParams(query)}`, null, undefined, { accept })

async function every(query: Record<string, string> = {}): Promise<{ nodes: Json[]; pages: number }> {
  const nodes: Json[] = []
  let nextToken = ''
  let pages = 0
  do {
    const { status, body } = await ask({ supplySource: 'AMAZON', ...query, ...(nextToken && { nextToken }) })
    expect(status).toBe(200)
    nodes.push(...listOf(body.categoryTree))
    nextToken = body.nextToken ? leafOf(body.nextToken) : ''
    pages++
  } while (nextToken)
  return { nodes, pages }
}
const idOf = (node: Json | undefined): string => leafOf(node?.categoryRefinementId)

describe('categories for Sponsored Brands', () => {
  test('come page by page as a list that builds a tree', async () => {
    const { nodes, pages } = await every()
    expect(pages).toBeGreaterThan(1)
    const ids = nodes.map(idOf)
    expect(new Set(ids).size).toBe(ids.length)
    for (const node of nodes)
      if (node.parentCategoryRefinementId) expect(ids).toContain(leafOf(node.parentCategoryRefinementId))
    const leaf = nodes.find(node => idOf(node) === '289742')
    expect(leaf).toMatchObject({ name: 'Garlic Presses', isTargetable: true })
    expect(Number(leaf?.asinCountRange?.max)).toBeGreaterThan(Number(leaf?.asinCountRange?.min))
    expect(leaf).not.toHaveProperty('translatedName')
  })

  test('are walked from the roots down to what can be targeted', async () => {
    const { nodes: roots } = await every({ includeOnlyRootCategories: 'true' })
    expect(roots.every(node => node.parentCategoryRefinementId === undefined)).toBe(true)
    const byName = (nodes: Json[], name: string): string => idOf(nodes.find(node => leafOf(node.name) === name))
    const childrenOf = async (id: string) => (await every({ parentCategoryRefinementId: id })).nodes
    const kitchen = await childrenOf(byName(roots, 'Home & Kitchen'))
    const utensils = await childrenOf(byName(await childrenOf(byName(kitchen, 'Kitchen & Dining')), 'Kitchen Utensils'))
    expect(utensils).toMatchObject([{ name: 'Garlic Presses', isTargetable: true }])
    expect(await childrenOf('289742')).toEqual([])
  })

  test('have the same ids as in Sponsored Products', async () => {
    const { body } = await scene.ads.call('GET', '/sp/targets/categories', null)
    const flat = (nodes: { id: number; ch: unknown[] }[]): string[] =>
      nodes.flatMap(node => [String(node.id), ...flat(node.ch as typeof nodes)])
    const ids = flat(JSON.parse(leafOf(body.categoryTree)) as { id: number; ch: unknown[] }[])
    expect((await every()).nodes.map(idOf).sort()).toEqual(ids.sort())
  })

  test('have a translated name when a language is requested, and come without an Accept too', async () => {
    const { headers, body } = await ask({ supplySource: 'AMAZON', locale: 'zh_CN' }, '*/*')
    expect(headers.get('content-type')).toContain(mediaType)
    expect(listOf(body.categoryTree)[0]).toHaveProperty('translatedName')
  })

  test.each([
    [{}, 'supplySource'],
    [{ supplySource: 'SHELF' }, 'supplySource'],
    [{ supplySource: 'AMAZON', locale: 'xx_XX' }, 'xx_XX'],
    [{ supplySource: 'AMAZON', includeOnlyRootCategories: 'maybe' }, 'includeOnlyRootCategories'],
    [{ supplySource: 'AMAZON', parentCategoryRefinementId: '404' }, '404'],
    [{ supplySource: 'AMAZON', nextToken: 'x' }, 'nextToken'],
  ])('are refused for %j', async (query, named) => {
    const { status, body } = await ask(query as Record<string, string>)
    expect(status).toBe(400)
    expect(body).toEqual({ code: '400', details: expect.stringContaining(named) })
  })

  test('require a caller, a supported Accept and a marketplace that has them', async () => {
    expect((await ask({ supplySource: 'AMAZON' }, 'application/vnd.sbtarget.v3+json')).status).toBe(406)
    const stranger = await adsClient(scene.sandbox, { profileId: '222' })
    expect((await stranger.call('GET', '/sb/targets/categories?supplySource=AMAZON', null)).status).toBe(401)
    const { world } = scene.sandbox
    const us = world.store.profiles.get(111)
    if (!us) throw new Error('no profile')
    world.change(store => store.profiles.set(444, { ...us, profileId: 444, countryCode: 'BR' }))
    const brazil = await adsClient(scene.sandbox, { profileId: '444' })
    expect((await brazil.call('GET', '/sb/targets/categories?supplySource=AMAZON', null)).status).toBe(400)
  })
})
