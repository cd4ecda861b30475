import type { FastifyInstance } from 'fastify'
import type { RegionKey } from '#shared/marketplaces.ts'
import type { World } from '../../core/world.ts'
import { hashText } from '../../market/random.ts'
import { type CategoryWords, languageOf } from '../../market/vocabulary.ts'
import { type AdsCaller, readCaller, readObject } from '../ads-caller.ts'
import { requireAccept, requireMedia } from '../media-types.ts'
import { adviceFailure } from './advice-subject.ts'
import { about, asinsIn, type CategoryNode, categoryNodes } from './category-nodes.ts'

const requestMedia = 'application/vnd.spproducttargeting.v3+json'
const replies = [3, 4, 5].map(version => `application/vnd.spproducttargetingresponse.v${version}+json`)

interface Node {
  id: number
  na: string
  ch: Node[]
  ta: boolean
  asinCountRange?: { min: number; max: number }
}

/** The categories below a parent (null: the roots), each with its own. */
function treeOf(nodes: readonly CategoryNode[], counted: boolean, under: string | null = null): Node[] {
  return nodes
    .filter(({ parentId }) => parentId === under)
    .map(({ id, name, isTargetable, asinCount }) => ({
      id: Number(id),
      na: name,
      ch: isTargetable ? [] : treeOf(nodes, counted, id),
      ta: isTargetable,
      ...(counted && isTargetable && { asinCountRange: about(asinCount) }),
    }))
}

function categoryOf({ profile }: AdsCaller, id: unknown): CategoryWords {
  const found = languageOf(profile.marketplaceId).categories.find(category => category.id === id)
  if (!found) throw adviceFailure(422, 'The category was not found')
  return found
}

/** Brands on sale in a category: those of the sellers here, and the rivals'. */
function brandsIn({ world, profile }: AdsCaller, category: CategoryWords): { id: string; name: string }[] {
  const names = new Set(languageOf(profile.marketplaceId).rivals)
  for (const product of world.store.products.values())
    if (product.marketplaceId === profile.marketplaceId && product.categoryId === category.id) names.add(product.brand)
  return [...names].map(name => ({ id: String(hashText(name, 31)), name }))
}

/** The tree of categories (as text inside JSON, as the real one does), refinements of one, and how many products it has. */
export function registerCategoryTree(app: FastifyInstance, world: World, region: RegionKey): void {
  app.get('/sp/targets/categories', (request, reply) => {
    const { profile } = readCaller(request, world, region)
    const version = Math.max(0, replies.indexOf(requireAccept(request, replies, 415) ?? ''))
    const tree = treeOf(categoryNodes(profile.marketplaceId), version > 0)
    void reply.type(replies[version] ?? 'application/json')
    return JSON.stringify({ categoryTree: JSON.stringify(tree) })
  })

  app.get('/sp/targets/category/:categoryId/refinements', (request, reply) => {
    const caller = readCaller(request, world, region)
    const category = categoryOf(caller, (request.params as { categoryId: string }).categoryId)
    requireAccept(request, replies, 415)
    void reply.type(replies[0] ?? 'application/json')
    return JSON.stringify({ brands: brandsIn(caller, category), ageRanges: [], genres: [] })
  })

  app.post('/sp/targets/products/count', (request, reply) => {
    const caller = readCaller(request, world, region)
    requireMedia(request, { takes: [requestMedia], gives: [...replies, requestMedia], plain: 'always' })
    const { category, brands, priceRange, ratingRange, isPrimeShipping } = readObject(request)
    const all = asinsIn(categoryOf(caller, category).id)
    const brandShare = Array.isArray(brands) && brands.length > 0 ? Math.min(1, brands.length * 0.06) : 1
    const narrowings = [priceRange, ratingRange, isPrimeShipping].filter(Boolean).length
    void reply.type(replies[0] ?? 'application/json')
    return JSON.stringify({ asinCounts: about(Math.round(all * brandShare * 0.6 ** narrowings)) })
  })
}
