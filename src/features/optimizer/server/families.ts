import { sql } from 'kysely'
import { normalTerm } from '#shared/keyword-rules.ts'
import { addDays } from '#shared/time.ts'
import type { Profile } from '#features/accounts/server/public.ts'
import {
  coverOf,
  joinPace,
  productsByAsin,
  salesPace,
  stockByAsin,
  unitEconomics,
} from '#features/catalogue/server/public.ts'
import type { Db } from '#server/db/tables.ts'
import type { FamilyFacts } from '../engine/facts.ts'
import type { Holdings } from './entities.ts'

/** What the products of some ad groups cost and bring. */
export interface Families {
  facts: FamilyFacts[]
  /** By ad group. */
  familyOf: ReadonlyMap<number, string>
  products: number
  productsWithCosts: number
}

/** Words of a brand that so many of the searches have are words of the product. */
const commonShare = 0.1

/**
 * The product families of campaigns: ad groups that advertise a product together are one family. Their prices and margins
 * are means over the products; a margin counts only where the price, the cost and the fees of a product are known.
 */
export async function readFamilies(
  tx: Db,
  profile: Profile,
  { adGroups, ads, targets, campaigns }: Holdings,
  searches: readonly string[],
  today: string,
): Promise<Families> {
  const asinsOf = new Map(adGroups.map(({ id }) => [id, new Set<string>()]))
  for (const { adGroupId, asin, asins, state } of ads)
    if (state === 'ENABLED') for (const one of asins ?? (asin === null ? [] : [asin])) asinsOf.get(adGroupId)?.add(one)
  const familyOf = joinByProduct(asinsOf, new Set(adGroups.filter(isOfBrand).map(one => one.id)))
  const byFamily = Map.groupBy(adGroups, one => familyOf.get(one.id) ?? '')
  const asins = [...new Set([...asinsOf.values()].flatMap(own => [...own]))]
  const skus = new Set(ads.flatMap(({ sku }) => sku ?? []))
  const { merchantId, marketplaceId } = profile
  const products = asins.length ? await productsByAsin(tx, merchantId, marketplaceId, asins) : []
  // Ads of a brand name products, not what is sold of them.
  const named = new Set(ads.flatMap(({ sku, asin }) => (sku && asin ? [asin] : [])))
  for (const { asin, sku } of products) if (!named.has(asin ?? '')) skus.add(sku)
  const economics = skus.size ? await unitEconomics(tx, profile, [...skus], today) : []
  const covers = await coversOf(tx, profile, asins, today)
  const prices = Map.groupBy(products, one => one.asin ?? '')
  const costs = Map.groupBy(economics, one => one.asin)
  const marginOf = (asin: string): number | null => {
    // Of several skus the lowest counts, so that profit is never overstated.
    const margins = (costs.get(asin) ?? []).flatMap(({ priceMicros, cogsMicros, feesMicros }) =>
      priceMicros && cogsMicros !== null && feesMicros !== null
        ? [(priceMicros - cogsMicros - feesMicros) / priceMicros]
        : [],
    )
    return margins.length ? Math.min(...margins) : null
  }
  const isCommon = commonWords(searches)
  const facts = [...byFamily].map(([id, groups]): FamilyFacts => {
    const own = [...new Set(groups.flatMap(group => [...(asinsOf.get(group.id) ?? [])]))]
    const listed = own.flatMap(asin => prices.get(asin) ?? [])
    const brands = listed.flatMap(({ brand }) => (brand ? normalTerm(brand).split(' ') : []))
    return {
      id,
      priceMicros: mean(listed.flatMap(({ priceMicros }) => priceMicros ?? [])),
      margin: mean(own.flatMap(asin => marginOf(asin) ?? [])),
      coverDays: coverOfFamily(own.flatMap(asin => covers.get(asin) ?? [])),
      brandWords: [...new Set(brands)].filter(word => word.length > 2 && !isCommon(word)),
      ...homesOf(groups, campaigns, targets),
    }
  })
  return {
    facts,
    familyOf,
    products: asins.length,
    productsWithCosts: asins.filter(asin => marginOf(asin) !== null).length,
  }
}

const mean = (values: readonly number[]): number | null =>
  values.length ? values.reduce((sum, one) => sum + one, 0) / values.length : null

const isOfBrand = ({ adType }: Holdings['adGroups'][number]): boolean => adType === 'SPONSORED_BRANDS'

/**
 * One name for all ad groups that share products, directly or by way of others: the least of their ASINs. An ad of a brand shows
 * products that do not sell alike, so that its ad group joins nobody: it belongs to a family where that has all of its products.
 */
function joinByProduct(
  asinsOf: ReadonlyMap<number, ReadonlySet<string>>,
  brands: ReadonlySet<number>,
): Map<number, string> {
  const groupsOf = new Map<string, number[]>()
  for (const [id, asins] of asinsOf)
    if (!brands.has(id)) for (const asin of asins) groupsOf.set(asin, [...(groupsOf.get(asin) ?? []), id])
  const families = new Map<number, string>()
  for (const first of asinsOf.keys()) {
    if (families.has(first) || brands.has(first)) continue
    const groups = new Set([first])
    const asins = new Set<string>()
    for (const id of groups)
      for (const asin of asinsOf.get(id) ?? []) {
        asins.add(asin)
        for (const other of groupsOf.get(asin) ?? []) groups.add(other)
      }
    const [name = `ad group ${first}`] = [...asins].toSorted()
    for (const id of groups) families.set(id, name)
  }
  for (const id of brands) {
    const own = [...(asinsOf.get(id) ?? [])].map(asin => families.get(groupsOf.get(asin)?.[0] ?? 0))
    const [found] = own
    families.set(id, found !== undefined && own.every(one => one === found) ? found : `ad group ${id}`)
  }
  return families
}

function commonWords(searches: readonly string[]): (word: string) => boolean {
  const times = new Map<string, number>()
  const distinct = new Set(searches)
  for (const search of distinct)
    for (const word of new Set(search.split(' '))) times.set(word, (times.get(word) ?? 0) + 1)
  return word => (times.get(word) ?? 0) > commonShare * distinct.size && distinct.size > 20
}

interface Cover {
  available: number
  unitsADay: number
}

/** For how long the stock of the family lasts together; null where nothing is sold or known. */
function coverOfFamily(covers: readonly Cover[]): number | null {
  const units = covers.reduce((sum, one) => sum + one.unitsADay, 0)
  return units > 0 ? covers.reduce((sum, one) => sum + one.available, 0) / units : null
}

async function coversOf(
  tx: Db,
  profile: Profile,
  asins: readonly string[],
  today: string,
): Promise<Map<string, Cover>> {
  const pace = asins.length ? await salesPace(tx, profile, addDays(today, -1)) : null
  if (!pace) return new Map()
  const { rows } = await sql<{ asin: string; available: number | null; cover: number | null }>`
    select k.asin, k.available, ${coverOf(pace)} as cover
    from ${stockByAsin(profile, asins)} k ${joinPace(pace, sql`k.asin`, asins)}`.execute(tx)
  return new Map(
    rows.flatMap(({ asin, available, cover }) => {
      if (available === null) return []
      // Without stock the days are 0, whatever the pace is.
      if (available <= 0) return [[asin, { available: 0, unitsADay: 1 }] as const]
      return cover === null ? [] : [[asin, { available, unitsADay: available / Math.max(cover, 1e-6) }] as const]
    }),
  )
}

/** Which ad groups take the proven searches and product pages: those that have most of such targets already. */
function homesOf(
  groups: Holdings['adGroups'],
  campaigns: Holdings['campaigns'],
  targets: Holdings['targets'],
): Pick<FamilyFacts, 'keywordHome' | 'productHome'> {
  const manual = new Set(
    campaigns
      .filter(one => one.adType === 'SPONSORED_PRODUCTS' && one.targetingType === 'MANUAL' && one.state === 'ENABLED')
      .map(one => one.id),
  )
  const own = groups.filter(one => one.state === 'ENABLED' && manual.has(one.campaignId))
  const within = (id: number) => targets.filter(one => one.adGroupId === id && one.state === 'ENABLED')
  const best = (rank: (group: Holdings['targets']) => number) => {
    const ranked = own.map(group => ({ group, rank: rank(within(group.id)) })).filter(one => one.rank > 0)
    const [found] = ranked.toSorted((a, b) => b.rank - a.rank || a.group.id - b.group.id)
    return found ? { campaignId: String(found.group.campaignId), adGroupId: String(found.group.id) } : null
  }
  const exact = (group: Holdings['targets']) => group.filter(one => one.matchType === 'EXACT').length
  const keywords = (group: Holdings['targets']) => group.filter(one => one.kind === 'KEYWORD').length
  const pages = (group: Holdings['targets']) => group.filter(one => one.kind === 'PRODUCT').length
  return {
    keywordHome: best(group => (keywords(group) ? 1 + (1000 * exact(group)) / keywords(group) : 0)),
    productHome: best(group => (keywords(group) ? 0 : pages(group))),
  }
}
