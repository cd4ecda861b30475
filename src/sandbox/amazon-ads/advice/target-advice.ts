import type { FastifyInstance } from 'fastify'
import type { RegionKey } from '#shared/marketplaces.ts'
import type { World } from '../../core/world.ts'
import { readCaller, readObject } from '../ads-caller.ts'
import { requireMedia } from '../media-types.ts'
import { plainText } from '../plain-text.ts'
import { adviceFailure, ownAsins, readTexts } from './advice-subject.ts'

const categoryRequest = 'application/vnd.spproducttargeting.v3+json'
const categoryReplies = [3, 4, 5].map(version => `application/vnd.spproducttargetingresponse.v${version}+json`)
const productRequest = 'application/vnd.spproductrecommendation.v3+json'
const byAsin = 'application/vnd.spproductrecommendationresponse.asins.v3+json'
const byTheme = 'application/vnd.spproductrecommendationresponse.themes.v3+json'

interface Category {
  categoryId: string
  name: string
  path: string
  asinCount: number
}

function categoryToWire({ categoryId, name, path, asinCount }: Category, version: number): object {
  if (version === 3) return { id: categoryId, name, parent: '-1', canBeTargeted: true, path }
  return {
    id: categoryId,
    name,
    parentCategoryId: '-1',
    categoryPath: path,
    asinCounts: { min: Math.floor(asinCount * 0.9), max: Math.ceil(asinCount * 1.1) },
    ...(version === 5 && { translatedName: name, translatedCategoryPath: path }),
  }
}

const cursorOf = (offset: number): string => Buffer.from(`at:${offset}`).toString('base64url')
function offsetOf(cursor: unknown): number {
  if (cursor === undefined || cursor === null || cursor === '') return 0
  const match = /^at:(\d+)$/.exec(Buffer.from(plainText(cursor), 'base64url').toString())
  if (!match) throw adviceFailure(400, 'The cursor is invalid')
  return Number(match[1])
}

function paged<T>(all: readonly T[], count: number, cursor: unknown) {
  const at = offsetOf(cursor)
  return {
    recommendations: all.slice(at, at + count),
    nextCursor: at + count < all.length ? cursorOf(at + count) : null,
    previousCursor: at > 0 ? cursorOf(Math.max(0, at - count)) : null,
  }
}

/** Categories and products worth targeting; the answer's form follows the Accept header. */
export function registerTargetAdvice(app: FastifyInstance, world: World, region: RegionKey): void {
  app.post('/sp/targets/categories/recommendations', (request, reply) => {
    const caller = readCaller(request, world, region)
    const { accept } = requireMedia(request, { takes: [categoryRequest], gives: categoryReplies })
    const { asins } = readObject(request)
    const own = ownAsins(caller, readTexts(asins, 'asins', 10_000))
    const version = Math.max(3, categoryReplies.indexOf(accept ?? '') + 3)
    const categories = world.market().suggestCategories(caller.profile.profileId, own)
    void reply.type(categoryReplies[version - 3] ?? 'application/json')
    return JSON.stringify({ categories: categories.map(category => categoryToWire(category, version)) })
  })

  app.post('/sp/targets/products/recommendations', (request, reply) => {
    const caller = readCaller(request, world, region)
    const { accept } = requireMedia(request, { takes: [productRequest], gives: [byAsin, byTheme] })
    const { adAsins, count = 50, cursor } = readObject(request)
    const own = ownAsins(caller, readTexts(adAsins, 'adAsins', 50))
    const size = Number(count)
    if (!Number.isInteger(size) || size < 1) throw adviceFailure(400, 'count must be a positive whole number')
    const ideas = world.market().suggestProducts(caller.profile.profileId, own, 200)
    void reply.type(accept ?? byAsin)
    if (accept === byTheme) {
      const themes = ideas.map(({ theme, description, asins }) => ({ theme, description, recommendedAsins: asins }))
      return JSON.stringify(paged(themes, size, cursor))
    }
    const themesOf = new Map<string, string[]>()
    for (const { theme, asins } of ideas)
      for (const asin of asins) themesOf.set(asin, [...(themesOf.get(asin) ?? []), theme])
    const rows = [...themesOf].map(([recommendedAsin, themes]) => ({ recommendedAsin, themes }))
    return JSON.stringify(paged(rows, size, cursor))
  })
}
